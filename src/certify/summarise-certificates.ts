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

/** Problems up to which a model keeps the certificate of each: those of a thousand take about 300 kB in a file. */
export const MOST_CERTIFICATES = 1000

/** Collects the certificates of `count` problems; of very many only what {@link summariseCertificates} makes of them. */
export class CertificateList {
  private readonly keepsAll: boolean
  private kept: Certificate[] = []

  constructor(count: number) {
    this.keepsAll = count <= MOST_CERTIFICATES
  }

  add(certificate: Certificate): void {
    this.kept.push(certificate)
    if (!this.keepsAll && this.kept.length === MOST_CERTIFICATES) this.kept = this.summary
  }

  /** One a problem, or a single one for all. */
  get list(): readonly Certificate[] {
    return this.keepsAll ? this.kept : this.summary
  }

  private get summary(): Certificate[] {
    const sum = summariseCertificates(this.kept)
    return sum ? [sum] : []
  }
}

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
  const largest = (field: 'maxViolation' | 'tol') =>
    certificates.reduce((most, one) => Math.max(most, one[field]), 0)
  const worst = certificates.reduce((most, one) => Math.max(most, severity.indexOf(one.stopReason)), 0)
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
    stopReason: severity[worst],
    iterations: sum('iterations'),
    seconds: sum('seconds'),
    solver: [...new Set(certificates.map((one) => one.solver))].join(', '),
    tol: largest('tol'),
    ...provenOf(certificates),
    ...(precision && { precision }),
    ...(certificates.some((one) => one.noMargin) && { noMargin: true as const }),
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
