// Read and write LIBSVM files: data, and models that svm-predict can read.
//   node examples/07-libsvm-files.js
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate, polynomial, readDataset, readModel, SVC, writeDataset, writeModel } from 'hyperplane/node'

const folder = await mkdtemp(join(tmpdir(), 'hyperplane-example-'))
try {
  // The file extension selects the format; .gz compresses. Every number is read back unchanged.
  const dataPath = join(folder, 'checkerboard.libsvm.gz')
  await writeDataset(dataPath, generate('checkerboard', { n: 300, seed: 5 }))
  const data = await readDataset(dataPath, { columns: 'number' })
  console.log(
    `read ${data.samples.rows} samples with ${data.samples.cols} features, stored ${data.samples.kind}`,
  )

  const model = await new SVC({ kernel: polynomial({ degree: 4, gamma: 1, coef0: 1 }), C: 100 }).fit(data)
  const modelPath = join(folder, 'checkerboard.model')
  await writeModel(modelPath, model)
  console.log((await readFile(modelPath, 'utf8')).split('\n').slice(0, 6).join('\n'))

  const loaded = await readModel(modelPath)
  const [before, after] = [model, loaded].map((one) => one.decisionFunction(data.samples))
  const largest = before.reduce((most, value, i) => Math.max(most, Math.abs(value - after[i])), 0)
  console.log(
    `largest change of a decision value by saving and loading: ${largest < 1e-9 ? 'none to speak of' : largest}`,
  )
} finally {
  await rm(folder, { recursive: true })
}
