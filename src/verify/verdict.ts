import type { Claim, VerifiedPart } from './claims.ts'

const words: Readonly<Record<Claim['field'], string>> = {
  primal: 'the primal value',
  dual: 'the dual value',
  gap: 'the gap',
  maxViolation: 'the largest violation',
  supportVectors: 'the number of support vectors',
  boundedSupportVectors: 'the number of support vectors at their bound',
  converged: 'what "converged" means',
  nearOptimal: 'the gap',
  proves: 'what it proves',
}

/** The outcome of a verification in a sentence: the first thing that does not hold, or how good the model is. */
export function verdictOf(parts: readonly VerifiedPart[]): string {
  for (const { name, faults, claims, gap } of parts) {
    const where = name === '' ? '' : ` (${name})`
    if (faults.length > 0) return `the model is not a solution of this problem${where}: ${faults[0]}`
    const failing = claims.find(({ verdict }) => verdict === 'fails')
    const certified = claims.some(({ field }) => field === 'primal')
    if (failing) return failure(failing, where, gap, certified)
  }
  const total = (field: 'primal' | 'gap') => parts.reduce((sum, part) => sum + part[field], 0)
  const [primal, gap] = [total('primal'), total('gap')]
  const near = parts.some(({ proves }) => proves === 'stationary-point')
    ? 'the kernel is not positive semi-definite, so nothing is known about the optimum'
    : Number.isFinite(gap)
      ? `the model is at most ${short(Math.max(0, gap))} above the optimum (${short((100 * Math.max(0, gap)) / Math.abs(primal))}% of its value)`
      : 'there is no bound on the optimum'
  const claims = parts.flatMap((part) => part.claims)
  if (!claims.some(({ field }) => field === 'primal')) return near
  const unchecked = claims.some(({ verdict }) => verdict === 'unchecked')
  return `${unchecked ? 'what can be checked of the certificate holds' : 'the certificate holds'}: ${near}`
}

function failure(claim: Claim, where: string, gap: number, certified: boolean): string {
  const { field, claimed, recomputed = Number.NaN, allowed, reason } = claim
  if (field === 'proves') {
    return `the certificate does not hold${where}: it claims to prove an optimum, but ${reason}`
  }
  if (field === 'nearOptimal') {
    if (reason) return `the model is not shown to solve this problem${where}: ${reason}`
    return (
      `the model is not shown to solve this problem${where}: it may be ${short(gap)} above the optimum, ` +
      `${short(100 * recomputed)}% of its value, but at most ${short(100 * claimed)}% are accepted`
    )
  }
  if (field === 'converged') {
    const violation = reason ?? `a violation of ${recomputed} where ${claimed} is what`
    return certified
      ? `the certificate does not hold${where}: ${violation} "converged" means`
      : `the model is not a solution of this problem${where}: ${violation} is accepted`
  }
  const because = reason ?? `the data say ${recomputed}`
  const limit = allowed > 0 ? `, and error bars allow ${short(allowed)}` : ''
  return `the certificate does not hold${where}: ${words[field]} is claimed to be ${claimed}, but ${because}${limit}`
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)))
}
