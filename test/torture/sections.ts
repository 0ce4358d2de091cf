/** The parts of the campaign, in the order in which they run. */
import { tortureCertificates } from './certificates.ts'
import { type Section, tallyWords } from './report.ts'

/** See the head of the file. */
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
]
