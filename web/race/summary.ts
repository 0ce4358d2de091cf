/** The outcome of a race in plain language. */
import { formatNumber } from '../controls/fields.tsx'
import { solverWords } from '../controls/solver-names.ts'
import type { RaceRun } from '../worker/messages.ts'
import { isClearlyFaster, medianOf } from './order.ts'
import type { Finished } from './race-state.ts'

const units = { pair: 'steps', coordinate: 'epochs', line: 'epochs' } as const

/** Sentences about who was first, who was not, and whether they agree. */
export function summarise({ race: { runs }, fields }: Finished): string[] {
  const title = ({ solver }: RaceRun) => solverWords[solver].title
  const arrived = runs
    .filter(({ certificate }) => certificate.stopReason === 'converged')
    .toSorted((a, b) => medianOf(a.times) - medianOf(b.times))
  const sentences: string[] = []
  const [first, ...others] = arrived
  const ties = others.filter((run) => !isClearlyFaster(first.times, run.times))
  if (first && ties.length > 0) {
    const names = [first, ...ties].map(title)
    sentences.push(
      `${names.slice(0, -1).join(', ')} and ${names.at(-1)} are too close to tell apart: their times overlap.`,
    )
  } else if (first && others.length > 0) sentences.push(`${title(first)} was first.`)
  for (const run of arrived) {
    const times = medianOf(run.times) / medianOf(first.times)
    const isSlower = run !== first && !ties.includes(run)
    sentences.push(
      `${title(run)}: ${timeOf(run)} and ${effort(run)}${isSlower ? `, ${formatNumber(times, 2)} times as long` : ''}.`,
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

/** The time in the middle, and how far the times go to either side. */
function timeOf({ times }: RaceRun): string {
  const [least, most] = [times[0], times[times.length - 1]]
  if (times.length === 1) return duration(least)
  return `${duration(medianOf(times))} (median of ${times.length} runs, ${duration(least)} to ${duration(most)})`
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
