// Trains with a peer from npm and prints JSON: the seconds of training alone, and the certificate of what it found.
//
//   node bench/npm-peer.js libsvm-js|ml-svm DATA KERNEL C GAMMA TOL CACHE_MB
//
// Both take rows as arrays of numbers and know no files, so reading is ours and is not timed.
import { createRequire } from 'node:module'
import { linear, Random, rbf, readDataset, toDense } from 'hyperplane'
import { makeProblem, measure } from 'hyperplane/solvers'

const require = createRequire(import.meta.url)
const [peer, path, kernel, ...numbers] = process.argv.slice(2)
const [C, gamma, tol, cache] = numbers.map(Number)
const { samples, labels } = await readDataset(path)
const positive = labels.reduce((a, b) => Math.max(a, b))
const y = Array.from(labels, (label) => (label === positive ? 1 : -1))
const dense = toDense(samples)
const rows = y.map((_, i) => Array.from(dense.values.subarray(i * dense.cols, (i + 1) * dense.cols)))

const { fitSeconds, alpha, bias } = peer === 'ml-svm' ? trainMlSvm() : await trainLibsvmJs()
const problem = makeProblem({ samples, kernel: kernel === 'linear' ? linear() : rbf({ gamma }), y, C })
const { dual, maxViolation, supportVectors } = measure(problem, { alpha, bias })
console.log(JSON.stringify({ fitSeconds, objective: dual, violation: maxViolation, supportVectors }))

async function trainLibsvmJs() {
  const SVM = await require('libsvm-js')
  const svm = new SVM({
    type: SVM.SVM_TYPES.C_SVC,
    kernel: kernel === 'linear' ? SVM.KERNEL_TYPES.LINEAR : SVM.KERNEL_TYPES.RBF,
    cost: C,
    gamma,
    tolerance: tol,
    cacheSize: cache,
    quiet: true,
  })
  const started = performance.now()
  svm.train(rows, y)
  const fitSeconds = (performance.now() - started) / 1000
  const [header, vectors] = svm.serializeModel().split('\nSV\n')
  const alpha = new Float64Array(y.length)
  const lines = vectors.trim().split('\n')
  svm.getSVIndices().forEach((i, s) => {
    alpha[i] = Math.abs(Number.parseFloat(lines[s]))
  })
  // f > 0 votes for its first label.
  return { fitSeconds, alpha, bias: -svm.getLabels()[0] * Number(/^rho (\S+)$/m.exec(header)[1]) }
}

function trainMlSvm() {
  const SVM = require('ml-svm')
  const random = new Random(1)
  const svm = new SVM({
    C,
    tol,
    maxIterations: Number.POSITIVE_INFINITY,
    alphaTol: 0,
    whitening: false,
    random: () => random.uniform(),
    kernel,
    // exp(-‖x − z‖² / 2σ²) is its Gaussian.
    ...(kernel === 'rbf' && { kernelOptions: { sigma: 1 / Math.sqrt(2 * gamma) } }),
  })
  const started = performance.now()
  svm.train(rows, y)
  const fitSeconds = (performance.now() - started) / 1000
  const alpha = new Float64Array(y.length)
  svm.supportVectors().forEach((i, s) => {
    alpha[i] = svm.alphas[s]
  })
  return { fitSeconds, alpha, bias: svm.b }
}
