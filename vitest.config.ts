import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * What takes longest though its file is small, longest first: Vitest begins with the largest files where it has not seen
 * them run, and these would be left over for one worker at the end.
 */
const first = [
  'test/torture/certificates',
  'test/cli/commands/selection-',
  'test/cli/libsvm/svm-commands',
  'test/lab/',
  'test/bench/',
  'test/cli/libsvm/svm-easy',
  'test/torture/',
  'test/parallel/memory-pressure',
  'test/solve/methods/solvers',
  'test/certify/row-bounds',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = first.findIndex((path) => moduleId.includes(`/${path}`))
      return place < 0 ? first.length : place
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

/**
 * The folders whose files share a process, so that each imports only the modules that none before it has: starting a process
 * and importing 200 modules takes half a second of CPU, which is more than most of these files need for their tests. Solvers and
 * searches are not among them: their bits are compared, so each file begins with an engine of its own.
 */
const sharing = ['base', 'calibration', 'data', 'kernels', 'metrics', 'models', 'plots', 'problems']

/** Those of them that change the process: they reset all slots. */
const alone = ['test/base/slot.test.ts', 'test/data/files/files.test.ts']

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'shared process',
          include: [`test/{${sharing}}/**/*.test.ts`],
          exclude: alone,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'own process',
          include: [`test/!(${sharing.join('|')})/**/*.test.ts`, 'test/*.test.ts', ...alone],
        },
      },
    ],
    setupFiles: ['test/set-up.ts'],
    // Generous, like the patience of polls: on a busy machine everything takes a while, and only a failure waits in vain.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    pool: 'forks',
    // One more than there are cores: tests of pages, commands and queues spend a part of their time waiting.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
  },
})
