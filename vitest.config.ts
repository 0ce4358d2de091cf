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

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/set-up.ts'],
    // Generous, like the patience of polls: on a busy machine everything takes a while, and only a failure waits in vain.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    pool: 'forks',
    // By default one core is left free: on two, that is half of them.
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
  },
})
