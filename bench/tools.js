// The tools that are compared: how each is called, what its output says, and which data sets it can take.
//
//   name       key in the results                title      what tables call it
//   compares   'command': reading, fitting and saving are timed, as we are;
//              'fit': a library; only its own call of fit is timed, and held against our whole command
//   savesLibsvm  it saves a model in LIBSVM's format, whose dual value can be computed
//   refuses    a reason not to run it on a set, or undefined
//   command    the command line that trains
//   read       what is available from its output: objective, violation, supportVectors, fitSeconds
import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { benchFile, hyperplane } from './places.js'

/** The tolerance of the stop rule, LIBSVM's -e, for everybody. */
export const tolerance = 1e-3
/** Megabytes for kernel rows, for everybody. */
export const cacheMegabytes = 1000

/** Largest dense matrix, in values, that a library is given. */
const mostDense = 125e6
/** What the peers from npm survive: beyond it, memory or patience ends. */
const mostForNpm = { 'libsvm-js': { values: 2e6 }, 'ml-svm': { rows: 2000 } }

/** All tools that can be run here: ours first, then `peers` as peers.js found them. */
export function trainingTools(peers, threads) {
  const { libsvm, sklearn, libsvmJs, mlSvm } = peers
  const canChoose = takesThreads('train')
  if (threads && !canChoose) throw new Error('--threads: hyperplane train has no such option')
  return [
    ours('hyperplane', threads),
    ...(canChoose ? [ours('hyperplane-1', 1)] : []),
    ...(libsvm ? [svmTrain(libsvm)] : []),
    ...(libsvm?.openMp ? [svmTrain(libsvm, cpus().length)] : []),
    ...(sklearn ? [sklearnSvc(sklearn, 'dense'), sklearnSvc(sklearn, 'sparse')] : []),
    ...(libsvmJs ? [npmPeer('libsvm-js')] : []),
    ...(mlSvm ? [npmPeer('ml-svm')] : []),
  ]
}

/** Whether a subcommand of ours takes --threads. */
export function takesThreads(subcommand) {
  const { stdout } = spawnSync(process.execPath, [hyperplane, subcommand, '--help'], { encoding: 'utf8' })
  return stdout.includes('--threads')
}

/** Our command line for training. */
export function ourTraining(set, modelPath, { threads, tol = tolerance, more = [] } = {}) {
  const kernel =
    set.kernel === 'linear' ? ['--kernel', 'linear'] : ['--kernel', set.kernel, '--gamma', set.gamma]
  const settings = ['--C', set.C, ...kernel, '--tol', tol, '--cache', cacheMegabytes]
  const chosen = threads === undefined ? [] : ['--threads', threads]
  const args = [hyperplane, 'train', set.path, ...settings, ...chosen, ...more, '-o', modelPath, '--json']
  return { command: process.execPath, args: args.map(String) }
}

/** What our training prints. */
export function readOurs(stdout) {
  const { dual, primal, gap, maxViolation, supportVectors, iterations, seconds, stopReason } =
    JSON.parse(stdout)
  const certificate = { primal, dual, gap, maxViolation, stopReason }
  return {
    objective: dual,
    violation: maxViolation,
    supportVectors,
    iterations,
    fitSeconds: seconds,
    certificate,
  }
}

function ours(name, threads) {
  return {
    name,
    title: threads === 1 ? 'Hyperplane, 1 thread' : 'Hyperplane',
    compares: 'command',
    savesLibsvm: true,
    refuses: () => undefined,
    command: (set, modelPath) => ourTraining(set, modelPath, { threads }),
    read: readOurs,
  }
}

/** LIBSVM's command line for training. */
export function libsvmTraining(libsvm, set, modelPath, tol = tolerance) {
  const kernel = set.kernel === 'linear' ? ['-t', 0] : ['-t', 2, '-g', set.gamma]
  const args = ['-c', set.C, ...kernel, '-m', cacheMegabytes, '-e', tol, set.path, modelPath]
  return { command: join(libsvm.folder, 'svm-train'), args: args.map(String) }
}

/** What LIBSVM prints when it has trained: added up over the pairs of classes, as our certificate is. */
export function readLibsvm(stdout) {
  const sum = (pattern) => {
    const found = [...stdout.matchAll(pattern)].map(([, text]) => Number(text))
    return found.length > 0 ? found.reduce((a, b) => a + b) : Number.NaN
  }
  return {
    objective: sum(/^obj = (\S+),/gm),
    supportVectors: sum(/^nSV = (\d+)/gm),
    iterations: sum(/#iter = (\d+)/g),
  }
}

function svmTrain(libsvm, threads) {
  return {
    name: threads ? `svm-train-${threads}` : 'svm-train',
    title: threads ? `svm-train, ${threads} threads` : 'svm-train',
    compares: 'command',
    savesLibsvm: true,
    refuses: () => undefined,
    command: (set, modelPath) => ({
      ...libsvmTraining(libsvm, set, modelPath),
      env: { OMP_NUM_THREADS: String(threads ?? 1) },
    }),
    read: readLibsvm,
  }
}

function sklearnSvc({ python }, form) {
  return {
    name: `sklearn-${form}`,
    title: `scikit-learn, ${form}`,
    compares: 'fit',
    refuses: ({ rows, cols }) =>
      form === 'dense' && rows * cols > mostDense ? 'too large as a dense matrix' : undefined,
    command: (set, modelPath) => ({
      command: python,
      args: [
        ...[benchFile('sklearn-svc.py'), set.path, modelPath, form, set.kernel, set.C, set.gamma ?? 1],
        ...[tolerance, cacheMegabytes],
      ].map(String),
    }),
    read: (stdout) => ({ ...readLibsvm(stdout), ...lastLineOf(stdout) }),
  }
}

function npmPeer(name) {
  const { values = Number.POSITIVE_INFINITY, rows = Number.POSITIVE_INFINITY } = mostForNpm[name]
  return {
    name,
    title: `npm ${name}`,
    compares: 'fit',
    refuses: (set) => (set.rows > rows || set.rows * set.cols > values ? 'more than it survives' : undefined),
    command: (set) => ({
      command: process.execPath,
      args: [
        ...[benchFile('npm-peer.js'), name, set.path, set.kernel, set.C, set.gamma ?? 1],
        ...[tolerance, cacheMegabytes],
      ].map(String),
    }),
    read: lastLineOf,
  }
}

/** Others print before; the result is the last line. */
function lastLineOf(stdout) {
  return JSON.parse(stdout.trim().split('\n').at(-1))
}
