/** The parts of the campaign, in the order in which they run. */
import { tortureCertificates } from './certificates.ts'
import { tortureByPeers } from './differential.ts'
import { fuzzReaders } from './fuzz-readers.ts'
import { tortureByKills } from './kill-commands.ts'
import { tortureLimits } from './limits.ts'
import { findPeers } from './peers.ts'
import { type Section, tallyWords } from './report.ts'
import { tortureByWriteFaults } from './write-faults.ts'

/** See the header of the file. */
export const sections: readonly Section[] = [
  {
    name: 'certificates',
    title: 'Certificates against naive loops',
    unit: 'certificates',
    count: 2500,
    async run({ from, ...options }) {
      const counts = await tortureCertificates({ ...options, from, fixtures: from === undefined })
      const { by, rows, closest, beyondReference, problems, certificates } = counts
      return {
        done: certificates,
        lines: [
          `${problems.toLocaleString('en')} problems of ${rows.least} to ${rows.most.toLocaleString('en')} rows`,
          `types: ${tallyWords(by.type)}`,
          `kernels: ${tallyWords(by.kernel)}`,
          `data: ${tallyWords(by.family)}`,
          `ends: ${tallyWords(by.stop)}`,
          `the value that came closest to its error bar used ${(100 * closest).toPrecision(2)}% of it; ${beyondReference} bars are narrower than the loops can judge`,
        ],
        counts,
      }
    },
  },
  {
    name: 'differential',
    title: 'Random problems against svm-train, liblinear-train and scikit-learn',
    unit: 'problems',
    count: 2000,
    missing() {
      const { missing } = findPeers()
      return missing.length > 0 ? `not on this machine: ${missing.join(', ')}` : undefined
    },
    async run(options) {
      const counts = await tortureByPeers(options)
      return {
        done: counts.problems,
        lines: [
          `compared with ${tallyWords(counts.compared)}`,
          `values: ${tallyWords(counts.outcomes)}`,
          `where a peer found no value, ours ended all the same: ${tallyWords(counts.withoutValue)}`,
          `ends: ${tallyWords(counts.stops)}`,
          `limits: ${tallyWords(counts.limits)}; overrun by ${Math.max(0, counts.latest).toFixed(3)} s at most`,
        ],
        counts,
      }
    },
  },
  {
    name: 'limits',
    title: 'Limits and signals at every yield',
    unit: 'stopped runs',
    count: 1000,
    async run(options) {
      const counts = await tortureLimits({ ...options, timed: true })
      const { problems, stops, limits, mostYields, latest, by } = counts
      return {
        done: stops + limits,
        lines: [
          `${problems.toLocaleString('en')} problems with up to ${mostYields.toLocaleString('en')} yields a run`,
          `solvers: ${tallyWords(by.solver)}`,
          `ends: ${tallyWords(by.end)}`,
          `solving overran a time limit by ${latest.toFixed(3)} s at most, with up to 4,000 samples`,
        ],
        counts,
      }
    },
  },
  {
    name: 'readers',
    title: 'Readers given damaged inputs',
    unit: 'inputs',
    count: 100_000,
    async run(options) {
      const counts = await fuzzReaders(options)
      const lines = Object.entries(counts).map(
        ([name, { inputs, accepted, rejected, slowestMs }]) =>
          `${name}: ${inputs.toLocaleString('en')} inputs, accepted ${accepted.toLocaleString('en')}, ${tallyWords(rejected)}; the slowest took ${Math.round(slowestMs)} ms`,
      )
      return { done: Object.values(counts).reduce((sum, { inputs }) => sum + inputs, 0), lines, counts }
    },
  },
  {
    name: 'kills',
    title: 'Commands killed at random moments',
    unit: 'kills',
    count: 200,
    async run(options) {
      const counts = await tortureByKills(options)
      return {
        done: counts.kills,
        lines: [
          `${counts.met} met the command at its work, ${counts.writing} of them while it wrote a file`,
          `commands: ${tallyWords(counts.by)}`,
        ],
        counts,
      }
    },
  },
  {
    name: 'write-faults',
    title: 'Commands on disks that fail',
    unit: 'faults',
    count: 200,
    async run(options) {
      const counts = await tortureByWriteFaults(options)
      return {
        done: counts.faults,
        lines: [`faults: ${tallyWords(counts.by)}; ${counts.fatal} ended the command with an error`],
        counts,
      }
    },
  },
]
