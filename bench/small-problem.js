// How long `fitSync` takes on a small problem once the code is warm, in milliseconds.
//
//   node bench/small-problem.js DATA KERNEL C GAMMA
import { linear, rbf, readDataset, SVC } from 'hyperplane'
import { median } from './statistics.js'

const [path, kernel, C, gamma] = process.argv.slice(2)
const dataset = await readDataset(path)
const estimator = new SVC({
  kernel: kernel === 'linear' ? linear() : rbf({ gamma: Number(gamma) }),
  C: Number(C),
})
const milliseconds = []
for (let k = 0; k < 300; k++) {
  const started = performance.now()
  estimator.fitSync(dataset)
  milliseconds.push(performance.now() - started)
}
const warm = milliseconds.slice(100)
console.log(
  JSON.stringify({
    first: milliseconds[0],
    best: Math.min(...warm),
    median: median(warm),
    worst: Math.max(...warm),
    runs: warm.length,
  }),
)
