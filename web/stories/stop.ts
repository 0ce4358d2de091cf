/** What a stop of the story is. */
import type { LabState } from '../state/lab-state.ts'

/** What the letters of formulas mean. */
const meanings: Readonly<Record<string, string>> = {
  w: 'points across the street; longer means narrower',
  b: 'the bias, which shifts the line',
  x: 'a point; xᵢ is point i',
  y: 'the label of a point, +1 or −1',
  f: 'the decision value, w · x + b',
  C: 'the price of slack',
  ξ: 'slack: by how much a point misses its margin',
  α: 'the multiplier of a point',
  z: 'another point',
  k: 'the kernel',
  γ: 'large where only close points are alike',
  φ: 'the lifted point',
  E: 'the error of a point: decision value minus label',
  L: 'the least that α of j may be',
  H: 'the most that α of j may be',
  λ: 'the weight of ‖w‖² in the mean over all points',
  n: 'the number of points',
  ε: 'half the width of the tube',
  ν: 'a fraction of the points',
}

/** Letters that need no words: they number points, and e is the base of the exponential. */
const plain = new Set(['i', 'j', 'e', 'max'])

/** The letters of a stop's formulas with their meanings, in the order in which they appear; undefined for one without. */
export function symbolsOf({
  formulas,
  symbols,
}: Stop): (readonly [letter: string, meaning: string | undefined])[] {
  const letters = formulas.flatMap((markup) =>
    Array.from(markup.matchAll(/<mi>(.+?)<\/mi>/g), ([, name]) => name),
  )
  return [...new Set(letters)]
    .filter((name) => !plain.has(name))
    .map((name) => [name, symbols?.[name] ?? meanings[name]])
}

/** A state of the Lab, three sentences, a formula, and one thing to do oneself. */
export interface Stop {
  /** Its name in links. */
  readonly name: string
  readonly title: string
  readonly words: readonly [string, string, string]
  /** MathML. */
  readonly formulas: readonly string[]
  /** Letters of the formulas that mean something else here than {@link meanings} say. */
  readonly symbols?: Readonly<Record<string, string>>
  /** Page and section of docs/theory. */
  readonly theory: string
  readonly state: Partial<LabState>
  readonly task: string
  /** What was to be seen, once it is done. */
  readonly seen: string
  /** Made when the stop is opened; says, whenever something has changed, whether the task is done. */
  readonly watch: () => () => boolean
}
