/** What `verify` found, as lines for people. */
import type { Claim, VerifiedPart, VerifyResult } from '../../verify/claims.ts'
import { aligned, count, type Lines, number, table } from './output.ts'

const WORDS: Readonly<Record<Claim['field'], string>> = {
  primal: 'primal value',
  dual: 'dual value',
  gap: 'gap',
  maxViolation: 'largest violation',
  supportVectors: 'support vectors',
  boundedSupportVectors: '… at the bound',
  converged: 'converged',
  nearOptimal: 'gap, fraction of the value',
  proves: 'bounds the optimum',
}

const VERDICTS = { holds: 'holds', fails: 'DOES NOT HOLD', unchecked: 'not checked' } as const

/** More problems than this are counted, not listed, unless something is wrong with them. */
const MOST_LISTED = 3
/** Of what is wrong, so much is listed. */
const MOST_WRONG = 20

/** A table of claims, remarks, and the outcome as the last line. */
export function verificationLines({ holds, verdict, parts, remarks }: VerifyResult): Lines {
  const unchecked = new Set(
    parts
      .flatMap(({ claims }) => claims)
      .flatMap((claim) => (claim.verdict === 'unchecked' && claim.reason) || []),
  )
  const notes = [...remarks, ...[...unchecked].map((reason) => `not checked: ${reason}`)]
  return [
    parts.length > MOST_LISTED ? countedLines(parts) : parts.map(partLines),
    ...notes.map((note) => `note: ${note}`),
    holds ? `holds: ${verdict}` : `DOES NOT HOLD: ${verdict}`,
  ]
}

function partLines(part: VerifiedPart): Lines {
  const isCertified = part.claims.some(({ field }) => field === 'primal')
  return [
    part.name !== '' && `${part.name}:`,
    isCertified ? claimTable(part.claims.map((claim) => [claim, ''])) : valueLines(part),
    part.faults.map((fault) => `infeasible: ${fault}`),
  ]
}

/** The values of a model that claims nothing. */
function valueLines(part: VerifiedPart): string[] {
  const { primal, dual, gap, maxViolation, supportVectors, boundedSupportVectors } = part
  return aligned([
    ['primal value', number(primal, 8)],
    ['dual value', number(dual, 8)],
    ['gap', number(gap, 3)],
    maxViolation !== undefined && ['largest violation', number(maxViolation, 3)],
    supportVectors !== undefined && [
      'support vectors',
      `${count(supportVectors)}, ${count(boundedSupportVectors ?? 0)} at the bound`,
    ],
  ])
}

function claimTable(claims: readonly (readonly [claim: Claim, part: string])[]): string[] {
  return table(claims, [
    claims.some(([, part]) => part !== '') && ['problem', ([, part]) => part, 'left'],
    ['claim', ([{ field }]) => WORDS[field], 'left'],
    ['in the model', ([claim]) => claimWords(claim)],
    ['recomputed', ([claim]) => recomputedWords(claim)],
    ['verdict', ([{ verdict }]) => VERDICTS[verdict], 'left'],
  ])
}

function claimWords({ field, claimed }: Claim): string {
  if (field === 'proves') return 'yes'
  return field === 'converged' || field === 'nearOptimal' ? `<= ${number(claimed)}` : number(claimed, 10)
}

function recomputedWords({ field, recomputed }: Claim): string {
  if (field === 'proves') return recomputed === 1 ? 'yes' : 'no'
  return recomputed === undefined ? '' : number(recomputed, 10)
}

/** Many problems: how many hold of each claim, and those that do not. */
function countedLines(parts: readonly VerifiedPart[]): Lines {
  const claims = parts.flatMap((part) => part.claims.map((claim) => [claim, part.name] as const))
  const fields = [...new Set(claims.map(([{ field }]) => field))]
  const of = (verdict: Claim['verdict']) => (field: Claim['field']) =>
    count(claims.filter(([claim]) => claim.field === field && claim.verdict === verdict).length)
  const wrong = claims.filter(([{ verdict }]) => verdict === 'fails')
  const faults = parts.flatMap(({ name, faults }) => faults.map((fault) => `infeasible: ${name}: ${fault}`))
  return [
    table(fields, [
      ['claim', (field) => WORDS[field], 'left'],
      ['hold', of('holds')],
      ['do not', of('fails')],
      ['not checked', of('unchecked')],
    ]),
    wrong.length > 0 && claimTable(wrong.slice(0, MOST_WRONG)),
    faults.slice(0, MOST_WRONG),
  ]
}
