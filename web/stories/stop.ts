/** What a stop of the story is. */
import type { LabState } from '../state/lab-state.ts'

/** A state of the Lab, three sentences, a formula, and one thing to do oneself. */
export interface Stop {
  /** Its name in links. */
  readonly name: string
  readonly title: string
  readonly words: readonly [string, string, string]
  /** MathML. */
  readonly formulas: readonly string[]
  /** Page and section of docs/theory. */
  readonly theory: string
  readonly state: Partial<LabState>
  readonly task: string
  /** What was to be seen, once it is done. */
  readonly seen: string
  /** Made when the stop is opened; says, whenever something has changed, whether the task is done. */
  readonly watch: () => () => boolean
}
