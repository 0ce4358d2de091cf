// The optimum of each training problem, found once with a tight tolerance and kept: what every tool is held against.
import { remember } from './memory.js'
import { cached } from './places.js'
import { exactDual } from './recompute.js'
import { runCommand } from './run-command.js'
import { libsvmTraining, ourTraining, readOurs } from './tools.js'

const tight = 1e-6
/** Seconds that a reference may take. */
const patience = 1200

/**
 * The dual value at a tolerance of 1e-6: of our model, whose certificate also bounds what is left (`gap`); of LIBSVM's
 * where ours does not get there. Undefined when neither does.
 */
export function referenceOptimum(set, libsvm) {
  const key = [set.name, set.digest, set.kernel, set.C, set.gamma ?? ''].join(' ')
  return remember('references.json', key, () => solveTightly(set, libsvm))
}

async function solveTightly(set, libsvm) {
  const model = cached('models', 'reference.model')
  const run = await runCommand(ourTraining(set, model, { tol: tight, more: ['--time-limit', patience] }))
  const certificate = run.failure ? undefined : readOurs(run.stdout).certificate
  if (certificate?.stopReason === 'converged') {
    return { by: 'hyperplane', dual: await exactDual(model), gap: certificate.gap, seconds: run.seconds }
  }
  if (!libsvm) return undefined
  const peer = await runCommand(libsvmTraining(libsvm, set, model, tight), patience)
  return peer.failure ? undefined : { by: 'svm-train', dual: await exactDual(model), seconds: peer.seconds }
}
