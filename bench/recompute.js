// Computes afresh what tools claim: dual values and certificates. Kept, because the same model gives the same again.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { remember } from './memory.js'
import { benchFile } from './places.js'
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
