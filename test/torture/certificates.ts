/**
 * Certificates against the truth: random problems of all types on data of every kind are solved, and what is claimed of
 * them is compared with plain loops (./true-measures.ts). A finding is `converged` where the true violation exceeds the
 * tolerance, or a value that is off by more than the error the certificate states.
 */
import type { Certificate } from '../../src/index.node.ts'
import { type CaseOptions, countOne, tryCases } from './cases.ts'
import { fixtureCases } from './certificate-fixtures.ts'
import { type Case, type CaseLimits, randomCase, type Solved } from './random-problems.ts'
import { type Measured, measureTruly, type Truth } from './true-measures.ts'

/** What {@link tortureCertificates} takes. */
export interface CertificateOptions extends CaseOptions, Partial<CaseLimits> {
  /** Also the problems of known bugs. Default true. */
  readonly fixtures?: boolean
}

/** What was counted. */
export interface CertificateCounts {
  readonly problems: number
  readonly certificates: number
  readonly findings: number
  /** How many certificates of each type, kernel, family and stop reason. */
  readonly by: Readonly<Record<'type' | 'kernel' | 'family' | 'stop', Readonly<Record<string, number>>>>
  /** The largest part of its stated error that a value was off by. */
  readonly closest: number
  /** Certificates that state a smaller error than the loops here can judge, and than the rounding of the value. */
  readonly beyondReference: number
  readonly rows: { readonly least: number; readonly most: number }
}

/** Solves random problems and checks their certificates. */
export async function tortureCertificates(options: CertificateOptions): Promise<CertificateCounts> {
  const { seed, fixtures = true, maxRows = 20_000, timeLimit = 3, onFinding } = options
  const tally = new Tally()
  if (fixtures) {
    const again = '--only certificates --count 0'
    for (const one of fixtureCases) {
      await tally.run(one, (what) => onFinding?.({ section: 'certificates', what, again }))
    }
  }
  await tryCases('certificates', options, ({ index, find }) =>
    tally.run(randomCase(seed, index, { maxRows, timeLimit }), find),
  )
  return tally
}

class Tally implements CertificateCounts {
  problems = 0
  certificates = 0
  findings = 0
  closest = 0
  beyondReference = 0
  readonly by = { type: {}, kernel: {}, family: {}, stop: {} } as Record<
    'type' | 'kernel' | 'family' | 'stop',
    Record<string, number>
  >
  readonly rows = { least: Number.POSITIVE_INFINITY, most: 0 }

  async run(one: Case, find: (what: string) => void): Promise<void> {
    this.problems++
    const report = (what: string) => {
      this.findings++
      find(`${one.title}: ${what}`)
    }
    let solved: readonly Solved[]
    try {
      solved = await one.solve()
    } catch (error) {
      report(`threw ${error instanceof Error ? `${error.name}: ${error.message}` : error}`)
      return
    }
    for (const part of solved) {
      const truth = measureTruly(part.machine, part.result)
      this.count(one, part, truth)
      const found = falsehoods(part, truth)
      if (found.length > 0) report(found.join('; '))
    }
  }

  private count(one: Case, { result: { certificate }, machine }: Solved, truth: Truth): void {
    this.certificates++
    countOne(this.by.type, one.type)
    countOne(this.by.kernel, one.kernel)
    countOne(this.by.family, one.family)
    countOne(this.by.stop, certificate.stopReason)
    this.rows.least = Math.min(this.rows.least, machine.points.rows)
    this.rows.most = Math.max(this.rows.most, machine.points.rows)
    let weak = false
    for (const { claimed, truly, bar } of claims(certificate, truth)) {
      const off = Math.abs(claimed - truly.value) - truly.error
      if (off > 0) this.closest = Math.max(this.closest, off / bar)
      if (truly.error > Math.max(bar, valueRounding * (1 + Math.abs(claimed)))) weak = true
    }
    if (weak) this.beyondReference++
  }
}

/** The errors that a certificate states for its values; those of a certificate that states none. */
function statedErrors(certificate: Certificate): Evidence {
  const { evidence } = certificate as { readonly evidence?: Evidence }
  if (evidence) return evidence
  const part = (value: number) => 1e-6 * (1 + Math.abs(value))
  const primalError = part(certificate.primal)
  const dualError = part(certificate.dual)
  const gapError = primalError + dualError
  return { primalError, dualError, gapError, violationError: part(certificate.maxViolation) }
}

type Evidence = Readonly<Record<'primalError' | 'dualError' | 'gapError' | 'violationError', number>>

interface Claim {
  readonly name: string
  readonly claimed: number
  readonly truly: Measured
  readonly bar: number
}

function claims(certificate: Certificate, { primal, dual, violation }: Truth): Claim[] {
  const { primalError, dualError, gapError, violationError } = statedErrors(certificate)
  const gap = { value: primal.value + dual.value, error: primal.error + dual.error }
  return [
    { name: 'primal', claimed: certificate.primal, truly: primal, bar: primalError },
    { name: 'dual', claimed: certificate.dual, truly: dual, bar: dualError },
    { name: 'gap', claimed: certificate.gap, truly: gap, bar: gapError },
    { name: 'violation', claimed: certificate.maxViolation, truly: violation, bar: violationError },
  ]
}

/** What the rounding of a value in f64 amounts to, after some sums, as a part of it. */
const valueRounding = 1e-12
/** For rounding in the comparison with the tolerance, as a part of it. */
const toleranceRounding = 1e-9
/** Dual variables are balanced to rounding: this part of their sum. */
const mostImbalance = 1e-9

/** Everything a certificate says that is not so. */
export function falsehoods({ result, goal, tol }: Solved, truth: Truth): string[] {
  const { certificate } = result
  const found: string[] = []
  const { stopReason } = certificate
  if (!(Math.abs(certificate.tol - tol) <= 1e-12 * tol)) found.push(`tol is ${certificate.tol}, not ${tol}`)
  if (stopReason === 'converged') {
    const { primal, dual, violation } = truth
    const isGap = goal === 'gap'
    const least = isGap
      ? primal.value + dual.value - primal.error - dual.error
      : violation.value - violation.error
    if (!(least <= tol * (isGap ? Math.abs(primal.value) : 1) * (1 + toleranceRounding))) {
      const said = isGap ? certificate.gap : certificate.maxViolation
      found.push(`converged at tol ${tol}, claimed ${goal} ${said}, true ${goal} ${least}`)
    }
  }
  for (const { name, claimed, truly, bar } of claims(certificate, truth)) {
    const off = Math.abs(claimed - truly.value)
    if (off <= bar + truly.error) continue
    found.push(`${stopReason}: ${name} ${claimed} is truly ${truly.value}: off by ${off}, ${bar} stated`)
  }
  if (certificate.supportVectors !== truth.supportVectors) {
    found.push(`${certificate.supportVectors} support vectors, truly ${truth.supportVectors}`)
  }
  if (truth.outside > 0) found.push(`a dual variable is ${truth.outside} outside its box`)
  if (truth.imbalance > mostImbalance) found.push(`sums are off by ${truth.imbalance} of the size of α`)
  return found
}
