/** The outcome of a race in plain language. */
import { formatNumber } from '../controls/fields.tsx'
import { solverWords } from '../controls/solver-names.ts'
import type { RaceRun } from '../worker/messages.ts'
import type { Finished } from './race-state.ts'

const units = { pair: 'steps', coordinate: 'epochs', line: 'epochs' } as const

/** Sentences about who was first, who was not, and whether they agree. */
export function summarise({ race: { runs }, fields }: Finished): string[] {
  const title = ({ solver }: RaceRun) => solverWords[solver].title
  const arrived = runs
    .filter(({ certificate }) => certificate.stopReason === 'converged')
    .toSorted((a, b) => a.certificate.seconds - b.certificate.seconds)
  const sentences: string[] = []
  const [first, ...others] = arrived
  if (first) {
    sentences.push(
      `${title(first)} was first: it reached its tolerance after ${duration(first.certificate.seconds)} and ` +
        `${effort(first)}.`,
    )
  }
  for (const run of others) {
    const times = run.certificate.seconds / first.certificate.seconds
    sentences.push(
      `${title(run)} took ${duration(run.certificate.seconds)} and ${effort(run)}, ${formatNumber(times, 2)} times as long.`,
    )
  }
  for (const run of runs) {
    const { stopReason, gap, primal } = run.certificate
    if (stopReason === 'converged') continue
    const share = formatNumber((100 * gap) / primal, 2)
    sentences.push(
      `${title(run)} did not converge (${stopReason.replace('-', ' ')}): its model is at most ${share}% above the optimum.`,
    )
  }
  sentences.push(agreement(runs, fields))
  return sentences
}

function agreement(runs: readonly RaceRun[], fields: Finished['fields']): string {
  const ends = runs.map((run, k) => fields[k].at(run.trace.length - 1).fields[0])
  let largest = 0
  for (const end of ends) {
    for (let k = 0; k < end.length; k++) largest = Math.max(largest, Math.abs(end[k] - ends[0][k]))
  }
  const forms = new Set(runs.map(({ solver }) => solverWords[solver].moves === 'pair'))
  const apart = `their decision values differ by at most ${formatNumber(largest, 2)} on this plane`
  return forms.size > 1
    ? `The solvers that include the bias in the norm have a slightly different optimum: ${apart}.`
    : `They have the same optimum: ${apart}.`
}

function effort({ solver, certificate }: RaceRun): string {
  const unit = solver === 'working-set' ? 'rounds' : units[solverWords[solver].moves]
  return `${certificate.iterations.toLocaleString('en')} ${unit}`
}

/** Seconds as people say them. */
export function duration(seconds: number): string {
  if (seconds < 1e-3) return `${formatNumber(1e6 * seconds, 2)} µs`
  return seconds < 1 ? `${formatNumber(1e3 * seconds, 2)} ms` : `${formatNumber(seconds, 2)} s`
}
