/** Of more than two classes, the pair whose run is watched. */
import { Menu } from '../controls/fields.tsx'
import { pairsOf } from '../plane/votes.ts'
import type { ClassIndex } from '../state/lab-state.ts'
import { glance, points, state } from '../state/store.ts'
import { Explain } from '../words/explain.tsx'
import { classesAmong, hasClasses, pairAmong } from './samples.ts'

/** See the header of the file; nothing where there are two classes, or none that count. */
export function PairMenu() {
  const found = classesAmong(points.value)
  if (found.length <= 2 || !hasClasses(state.value.settings)) return null
  const pairs = pairsOf(found.length).map(([a, b]): [ClassIndex, ClassIndex] => [found[a], found[b]])
  const chosen = pairAmong(points.value, state.value.pair)
  return (
    <section class="card" aria-label="Classes">
      <Menu
        label="Pair of classes"
        value={chosen.join()}
        options={pairs.map((pair) => [pair.join(), `class ${pair[0] + 1} against class ${pair[1] + 1}`])}
        onChange={(next) => {
          const pair = pairs.find((one) => one.join() === next)
          if (pair) glance({ pair })
        }}
      />
      <Explain topic="pair" />
    </section>
  )
}
