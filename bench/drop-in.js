// LIBSVM's commands by Debian and by this package, with the same flags on the same files, and whether both did the same
// work. Flags are objects by letter: `{ s: 3, c: 10, g: 0.5 }` is -s 3 -c 10 -g 0.5.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dropIn } from './places.js'
import { verified } from './recompute.js'
import { cacheMegabytes, tolerance } from './tools.js'
import { allowedLoss } from './training.js'

/** Shares of labels that may differ where both sides are at the same optimum within the tolerance. */
const differingLabels = 2e-3
/** How far mean squared errors of the same folds may be apart, relative to them. */
const differingErrors = 1e-2

/** Flags as words. */
export const words = (flags) =>
  Object.entries(flags).flatMap(([letter, value]) => [`-${letter}`, String(value)])

/** How a side is called: Debian's build in `folder`, or ours, on `threads` threads if that is given. */
export function side({ folder, threads }) {
  return (name, args) =>
    folder
      ? { command: join(folder, name), args }
      : {
          command: process.execPath,
          args: [dropIn(name), ...args],
          env: threads ? { HYPERPLANE_THREADS: String(threads) } : {},
        }
}

/** The command line of a training, with the tolerance and the cache of all benchmarks. */
export function trainingWords({ path }, flags, modelPath) {
  const same = { m: cacheMegabytes, e: tolerance }
  return [...words({ ...same, ...flags }), path, ...(flags.v ? [] : [modelPath])]
}

/** What cross-validation printed: accuracy as a share, or the mean squared error. */
export function scoreIn(stdout) {
  const accuracy = /Cross Validation Accuracy = (\S+)%/.exec(stdout)?.[1]
  if (accuracy !== undefined) return { accuracy: Number(accuracy) / 100 }
  const error = /Cross Validation Mean squared error = (\S+)/.exec(stdout)?.[1]
  return error === undefined ? {} : { meanSquaredError: Number(error) }
}

/**
 * Our model held against the peer's: `loss` is by how much our dual value is worse, relative to it; `certified` whether what
 * the model claims, a violation within the tolerance, was found in f64 by code that has nothing to do with the solver.
 */
export async function sameOptimum(set, flags, ours, peer) {
  const mine = await verified(set, ours, flags)
  const theirs = peer && (await verified(set, peer, flags))
  const loss = mine && theirs ? (mine.dual - theirs.dual) / Math.abs(theirs.dual) : undefined
  return {
    dual: mine?.dual,
    gap: mine?.gap,
    maxViolation: mine?.maxViolation,
    certified: mine?.holds,
    ...(mine && !mine.holds && { verdict: mine.verdict }),
    peerViolation: theirs?.maxViolation,
    loss,
    same: loss === undefined ? undefined : loss <= allowedLoss,
  }
}

/** Whether the same folds gave the same score. LIBSVM draws them by the C library, and so do we. */
export function sameScore(ours, peer) {
  const [mine, theirs] = [scoreIn(ours), scoreIn(peer)]
  const same =
    theirs.accuracy === undefined
      ? Math.abs(mine.meanSquaredError / theirs.meanSquaredError - 1) <= differingErrors
      : Math.abs(mine.accuracy - theirs.accuracy) <= differingLabels
  return { scores: { hyperplane: mine, peer: theirs }, same }
}

/** Whether two files of predictions, one line per sample, say the same: labels exactly, numbers to six digits. */
export function samePredictions(ours, peer) {
  const lines = (path) => readFileSync(path, 'utf8').trim().split('\n')
  const [mine, theirs] = [lines(ours), lines(peer)]
  const close = (a, b) => Math.abs(a - b) <= 1e-5 * Math.max(1, Math.abs(a), Math.abs(b))
  const differing = mine.filter((line, i) => {
    if (line === theirs[i]) return false
    const [a, b] = [line, theirs[i] ?? ''].map((text) => text.split(' ').map(Number))
    return a.length !== b.length || !a.every((value, k) => close(value, b[k]))
  }).length
  const same = mine.length === theirs.length && differing <= differingLabels * mine.length
  return { differing, predictions: mine.length, same }
}
