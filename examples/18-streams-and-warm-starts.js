// Linear machines on a stream: batches arrive one by one, a new class appears on the way, and a model is the start of the next.
//   node examples/18-streams-and-warm-starts.js
import { accuracy, generate, LinearSVC, makeDataset, selectSamples } from 'hyperplane'

const data = generate('blobs', { n: 1200, classes: 3, centers: 3, features: 5, spread: 2, box: 5, seed: 6 })

/** Batches as a queue or a socket would deliver them; samples of class 3 come only after a while. */
async function* arrivals() {
  const early = Uint32Array.from(data.labels.keys()).filter((i) => i < 600 && data.labels[i] !== 3)
  const late = Uint32Array.from(data.labels.keys()).filter((i) => i >= 600 && i < 1000)
  for (const part of [early, late]) {
    for (let from = 0; from < part.length; from += 50) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      yield selectSamples(data, part.subarray(from, from + 50))
    }
  }
}

// Each batch is a step on the problem over all samples that came. Nothing but the model is kept.
const learner = new LinearSVC({ C: 0.01 })
let model
for await (const batch of arrivals()) model = learner.partialFit(batch, { start: model })
if (!model?.stream) throw new Error('no batch came')
const { samples, batches, bound } = model.stream
console.log(`${samples} samples in ${batches} batches, classes ${model.classes.join(', ')}`)

// What is certain: no w is better than the bound over all samples that came. What is not: how near to it this one is.
const all = []
for await (const batch of arrivals()) all.push(batch)
const rows = all.flatMap(({ samples }) => Array.from({ length: samples.rows }, (_, i) => rowOf(samples, i)))
const seen = makeDataset(rows, Float64Array.from(all.flatMap((batch) => [...batch.labels])))
const exact = await learner.fit(seen)
console.log(
  `bound ${bound.toFixed(3)} <= optimum ${exact.certificate.primal.toFixed(3)}: ${bound <= exact.certificate.primal}`,
)
const test = selectSamples(
  data,
  Uint32Array.from({ length: 200 }, (_, i) => 1000 + i),
)
const score = (/** @type {import('hyperplane').LinearSvcModel} */ one) =>
  accuracy(test.labels, one.predict(test.samples)).toFixed(2)
console.log(`held-out accuracy: ${score(model)} from the stream, ${score(exact)} from all samples at a time`)

// A warm start leads to the certified optimum in fewer steps.
const other = new LinearSVC({ C: 0.012 })
const [cold, warm] = [await other.fit(seen), await other.fit(seen, { start: exact })]
console.log(
  `steps to the optimum of another C: ${cold.certificate.iterations} from 0, ${warm.certificate.iterations} from a model`,
)
console.log(`the same optimum: ${Math.abs(cold.certificate.primal / warm.certificate.primal - 1) < 1e-5}`)

/** @param {typeof data.samples} samples @param {number} i */
function rowOf({ values, cols }, i) {
  return Array.from(values.subarray(i * cols, (i + 1) * cols))
}
