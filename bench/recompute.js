// Computes afresh what tools claim: dual values and certificates. Kept, because the same model gives the same again.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { remember } from './memory.js'
import { benchFile, hyperplane } from './places.js'
import { runCommand } from './run-command.js'

/** The exact dual value of a model in a file, LIBSVM's format or ours. */
export async function exactDual(modelPath) {
  const { dual } = await recompute('dual-value.js', [modelPath], digest(modelPath))
  return dual
}

/** Primal value, dual value and violation of a model (in our format) on its training samples. */
export function exactCertificate({ path, C, digest: data }, modelPath) {
  return recompute('certify.js', [path, modelPath, String(C)], `${digest(modelPath)} ${data}`)
}

/**
 * What `hyperplane verify` finds of a model in LIBSVM's format, whoever trained it with these flags of svm-train: the dual
 * value and the gap, added up over the pairs of classes, the largest violation, and whether all that holds. Undefined where it
 * takes longer than `patience` seconds.
 */
export function verified({ path, digest: data }, modelPath, flags, patience = 300) {
  const args = [hyperplane, 'verify', modelPath, path, '--json', ...verifyOptions(flags)]
  return remember('verified.json', `${args.slice(5).join(' ')} ${digest(modelPath)} ${data}`, async () => {
    const run = await runCommand({ command: process.execPath, args }, patience)
    if (!run.stdout) {
      if (run.failure.startsWith('longer')) return undefined
      throw new Error(`verify: ${run.failure}`)
    }
    const { holds, verdict, parts } = JSON.parse(run.stdout)
    const sum = (of) => parts.reduce((total, part) => total + part[of], 0)
    const maxViolation = Math.max(...parts.map((part) => part.maxViolation))
    return { holds, verdict, dual: sum('dual'), gap: sum('gap'), maxViolation }
  })
}

/** What a model in LIBSVM's format does not say of its training. */
function verifyOptions({ s = 0, c = 1, n = 0.5, p = 0.1, ...more }) {
  const weights = Object.entries(more).filter(([letter]) => letter.startsWith('w'))
  return [
    ...([0, 3, 4].includes(s) ? ['--C', String(c)] : []),
    ...([1, 2, 4].includes(s) ? ['--nu', String(n)] : []),
    ...(s === 3 ? ['--epsilon', String(p)] : []),
    ...weights.flatMap(([letter, weight]) => ['--class-weight', `${letter.slice(1)}=${weight}`]),
  ]
}

function recompute(script, args, key) {
  return remember('recomputed.json', `${script} ${key}`, async () => {
    const run = await runCommand({ command: process.execPath, args: [benchFile(script), ...args] })
    if (run.failure) throw new Error(`${script}: ${run.failure}`)
    return JSON.parse(run.stdout)
  })
}

/** Of the numbers in a model; how long training took is in there too, and is not a number that counts. */
function digest(path) {
  const text = readFileSync(path, 'utf8').replace(/"seconds":\s*[^,}]*/g, '')
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
