/** Samples between classes in an order in which passes over them are quick: those between the same two classes follow one another. */
import type { ActiveClasses } from '../rows/linear-rows.ts'

/** Puts the samples in this order, those between more classes last; otherwise they stay in the order that they had. */
export function groupByPairs(active: ActiveClasses, k: number): void {
  const { count, samples, starts, classes, curvature } = active
  const before = { samples: samples.slice(0, count), starts: starts.slice(0, count + 1) }
  const own = { classes: classes.slice(0, starts[count]), curvature: curvature.slice(0, count) }
  const key = (a: number) => {
    const start = before.starts[a]
    return before.starts[a + 1] - start === 2 ? own.classes[start] * k + own.classes[start + 1] : k * k
  }
  const places = new Uint32Array(k * k + 2)
  for (let a = 0; a < count; a++) places[key(a) + 1]++
  for (let p = 1; p < places.length; p++) places[p] += places[p - 1]
  const order = new Uint32Array(count)
  for (let a = 0; a < count; a++) order[places[key(a)]++] = a
  let end = 0
  for (let place = 0; place < count; place++) {
    const a = order[place]
    samples[place] = before.samples[a]
    curvature[place] = own.curvature[a]
    starts[place] = end
    for (let s = before.starts[a]; s < before.starts[a + 1]; s++) classes[end++] = own.classes[s]
  }
}
