/** A certificate in words: how good the solution is, why the solver stopped, and what it cost. */
import type { Certificate, Evidence } from '../../certify/certificate.ts'
import { LinearSvcModel } from '../../models/linear-svc-model.ts'
import type { Model } from '../../models/model.ts'
import { goalOf } from '../../solve/methods/registry.ts'
import { count, counted, number, seconds } from './output.ts'

const STOPPED: Record<Certificate['stopReason'], string> = {
  converged: 'converged',
  stalled: 'NOT converged: steps no longer make progress',
  unbounded: 'NO SOLUTION: a hard margin was requested, but the classes cannot be separated',
  'iteration-limit': 'NOT converged: stopped at the iteration limit',
  'time-limit': 'NOT converged: stopped at the time limit',
  aborted: 'NOT converged: interrupted',
}

/** Only two problems have no bound: a hard margin between classes that overlap, and a kernel that is not positive semi-definite. */
function stopWords({ stopReason, proves }: Certificate): string {
  const isIndefinite = stopReason === 'unbounded' && proves === 'stationary-point'
  return isIndefinite
    ? 'NO SOLUTION: the kernel is not positive semi-definite, and the dual has no bound'
    : STOPPED[stopReason]
}

/** How many problems were solved for a model: one a function, unless one gave them all together. */
export function problemsOf(model: Model): number {
  const together = model instanceof LinearSvcModel && model.multiClass === 'crammer-singer'
  return together ? 1 : model.biases.length
}

/** The certificate as lines for people; of `functions` that were solved one by one, it is the sum. */
export function certificateLines(certificate: Certificate, samples?: number, functions = 1): string[] {
  const { solver, iterations, tol } = certificate
  const { supportVectors, boundedSupportVectors } = certificate
  const known = samples === undefined ? '' : ` of ${counted(samples, 'sample')}`
  const of = functions === 1 ? known : ` in ${count(functions)} functions together`
  return [
    qualityLine(certificate),
    `${stopWords(certificate)} after ${counted(iterations, 'iteration')} of ${solver} in ${seconds(certificate.seconds)}` +
      ` (${distanceWords(certificate)}, tolerance ${number(tol)})`,
    `${counted(supportVectors, 'support vector')}${of}, ${count(boundedSupportVectors)} at the bound`,
    ...(certificate.evidence ? [evidenceWords(certificate.evidence)] : []),
    ...(certificate.noMargin ? [noMarginWords(functions)] : []),
  ]
}

/** What is wrong with a ν that is too small. */
export function noMarginWords(functions: number): string {
  const where = functions === 1 ? '' : ' of some pairs of classes'
  return `NO MARGIN: the margin${where} is 0 within the tolerance, so decision values are rounding errors; increase nu`
}

/** What the tolerance is about first of all: the gap for primal solvers, the violation for all others and for unknown ones. */
function distanceWords({ solver, primal, gap, maxViolation, tol, evidence }: Certificate): string {
  if (goalOf(solver) === 'gap')
    return `gap ${number(Math.max(0, gap) / Math.abs(primal), 3)} of the primal value`
  const error = evidence?.violationError ?? 0
  // Said where it matters: where it may be what keeps the run from having converged.
  const bar = error > 0.1 * tol ? ` ± ${number(error, 2)}` : ''
  return `largest KKT violation ${number(maxViolation, 3)}${bar}`
}

function qualityLine({ primal, dual, gap, stopReason, proves, evidence }: Certificate): string {
  const values = `primal ${number(primal, 8)}, dual ${number(dual, 8)}, gap ${number(gap, 3)}`
  if (Number.isNaN(gap)) return `values that are not numbers; scale the data or the kernel: ${values}`
  if (!Number.isFinite(gap)) return `no bound on the optimum yet: ${values}`
  if (proves === 'stationary-point') {
    const kind = 'stationary point, not proven optimal: the kernel is not positive semi-definite'
    return stopReason === 'converged' ? `${kind}; ${values}` : `not yet a ${kind}; ${values}`
  }
  // Rounding may leave a gap below 0, which is none.
  const distant = Math.max(0, gap)
  const share = primal > 0 ? ` (${number((100 * distant) / primal, 2)}% of the primal value)` : ''
  const bar =
    evidence && evidence.gapError > 0.005 * Math.abs(gap) ? ` ± ${number(evidence.gapError, 2)}` : ''
  const distance = `${number(distant, 3)}${bar}${share}`
  return stopReason === 'converged'
    ? `optimal within ${distance}: ${values}`
    : `at most ${distance} above the optimum: ${values}`
}

/** How it is known: what was computed in f64, and how far the numbers may be off. */
function evidenceWords(evidence: Evidence): string {
  const { rows, rowsInDouble, bound, violationError, primalError, dualError, gapError } = evidence
  const computed =
    rowsInDouble === rows ? 'every row in f64' : `${count(rowsInDouble)} of ${counted(rows, 'row')} in f64`
  const error = Math.max(primalError, dualError)
  if (!Number.isFinite(error + violationError + gapError)) return `evidence: ${computed}; it proves nothing`
  const kind = bound === 'sampled' ? 'by sampled rows' : 'at worst'
  const values = `primal and dual value within ${number(error, 2)}, ${kind}`
  const rest = `violation within ${number(violationError, 2)} and gap within ${number(gapError, 2)}, proven`
  return `evidence: ${computed}; ${rest}; ${values}`
}
