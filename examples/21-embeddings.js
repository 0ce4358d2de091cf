// An SVM head on embeddings: 384 numbers per text, as sentence encoders give them, in one Float32Array. Here they are generated.
//   node examples/21-embeddings.js
import { accuracy, Random, SVC, tune } from 'hyperplane'
import { makeTable } from 'hyperplane/tables'

const width = 384
const topics = ['billing', 'delivery', 'praise']
const random = new Random(7)
const centers = topics.map(() => Float32Array.from({ length: width }, () => random.normal()))

/**
 * Embeddings of length 1, as encoders return them: a direction per topic, and noise.
 * @param {number} count
 */
function embed(count) {
  const values = new Float32Array(count * width)
  const labels = Array.from({ length: count }, (_, i) => topics[i % topics.length])
  for (let i = 0; i < count; i++) {
    const row = values.subarray(i * width, (i + 1) * width)
    for (let j = 0; j < width; j++) row[j] = 0.22 * centers[i % topics.length][j] + random.normal()
    const length = Math.hypot(...row)
    for (let j = 0; j < width; j++) row[j] /= length
  }
  return { values, labels }
}

const train = embed(300)
const test = embed(150)
const shape = (/** @type {Float32Array} */ values) => ({ values, shape: [values.length / width, width] })

// X and y, as in scikit-learn. A Float32Array needs no conversion, only its shape.
const model = await new SVC({ C: 10 }).fit(shape(train.values), train.labels)
const predicted = model.predict(shape(test.values))
console.log(`accuracy ${accuracy(test.labels, predicted).toFixed(2)} of three topics`)
console.log(`${model.supportCount} support vectors of ${width} numbers`)

// Records may hold embeddings beside other columns; C is chosen by cross-validation.
const records = train.labels.map((topic, i) => ({
  embedding: train.values.subarray(i * width, (i + 1) * width),
  plan: i % 2 === 0 ? 'free' : 'paid',
  topic,
}))
const { bestParams } = await tune(new SVC(), makeTable(records, { label: 'topic' }), {
  grid: { C: [0.1, 1, 10], gamma: [0.5] },
})
console.log(`chosen C: ${bestParams.C}`)
