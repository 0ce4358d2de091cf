import type { Certificate, Evidence, StopReason } from './certificate.ts'

/** From the best end of a run to the worst. */
const severity: readonly StopReason[] = [
  'converged',
  'stalled',
  'iteration-limit',
  'time-limit',
  'aborted',
  'unbounded',
]

/**
 * One certificate for a model that several problems were solved for: the worst stop reason, the largest violation, the
 * lowest precision; values, counts and times are sums. The certificate itself where there is one; undefined where none.
 */
export function summariseCertificates(certificates: readonly Certificate[]): Certificate | undefined {
  const [first] = certificates
  if (certificates.length <= 1) return first
  type Summed =
    | 'primal'
    | 'dual'
    | 'gap'
    | 'iterations'
    | 'seconds'
    | 'supportVectors'
    | 'boundedSupportVectors'
  const sum = (field: Summed) => certificates.reduce((total, one) => total + one[field], 0)
  const largest = (field: 'maxViolation' | 'tol') => Math.max(...certificates.map((one) => one[field]))
  const reasons = certificates.map((one) => severity.indexOf(one.stopReason))
  const precisions = new Set(certificates.map((one) => one.precision))
  const precision = precisions.has('f32') ? 'f32' : precisions.has('f64') ? 'f64' : undefined
  return {
    primal: sum('primal'),
    dual: sum('dual'),
    gap: sum('gap'),
    maxViolation: largest('maxViolation'),
    supportVectors: sum('supportVectors'),
    boundedSupportVectors: sum('boundedSupportVectors'),
    ...evidenceOf(certificates),
    stopReason: severity[Math.max(...reasons)],
    iterations: sum('iterations'),
    seconds: sum('seconds'),
    solver: [...new Set(certificates.map((one) => one.solver))].join(', '),
    tol: largest('tol'),
    ...provenOf(certificates),
    ...(precision && { precision }),
  }
}

/** What all of them prove. */
function provenOf(certificates: readonly Certificate[]): Pick<Certificate, 'proves'> {
  if (certificates.some(({ proves }) => proves === 'stationary-point')) return { proves: 'stationary-point' }
  return certificates.every(({ proves }) => proves) ? { proves: 'optimum' } : {}
}

/** The evidence of all together; none where one has none. */
function evidenceOf(certificates: readonly Certificate[]): Pick<Certificate, 'evidence'> {
  const evidence = certificates.flatMap((one) => one.evidence ?? [])
  if (evidence.length < certificates.length) return {}
  const sum = (field: Exclude<keyof Evidence, 'bound'>) =>
    evidence.reduce((total, one) => total + one[field], 0)
  return {
    evidence: {
      rows: sum('rows'),
      rowsInDouble: sum('rowsInDouble'),
      rowsSampled: sum('rowsSampled'),
      bound: evidence.some(({ bound }) => bound === 'sampled') ? 'sampled' : 'worst-case',
      violationError: evidence.reduce((most, one) => Math.max(most, one.violationError), 0),
      primalError: sum('primalError'),
      dualError: sum('dualError'),
      gapError: sum('gapError'),
    },
  }
}
