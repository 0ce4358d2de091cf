/** svm-train where LIBSVM trains, too, and where it refuses: small ν, large ν, many classes. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { formatLibsvm } from '../../../src/data/libsvm/libsvm-writer.ts'
import { toolFolder, toolsInstalled } from '../../suites/installed-tools.ts'
import { clouds } from '../../suites/tool-data.ts'

const installed = toolsInstalled('libsvm-tools', ['svm-train', 'svm-predict'])
const { path, write } = toolFolder()

function trained(command: string, ...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(command, words, { cwd: path(''), encoding: 'utf8' })
  const numbers = (name: string) => Number(stdout.match(new RegExp(`${name} = ([-\\d.e]+)`))?.[1])
  return { status, stdout, stderr, obj: numbers('obj'), rho: numbers('rho') }
}

const ours = (command: string, ...words: readonly string[]) => {
  const script = fileURLToPath(new URL(`../../../dist/cli/${command}.js`, import.meta.url))
  return trained(process.execPath, script, ...words)
}

write('two', formatLibsvm(clouds(1, 120, [1, -1])))
const swapped = clouds(1, 120, [1, -1])
write(
  'swapped',
  formatLibsvm({ ...swapped, labels: (swapped.labels as Float64Array).map((label) => -label) }),
)
write('uneven', formatLibsvm(clouds(2, 90, [1, 1, 1, 2, 3, 3])))

describe('nu-SVC', () => {
  test.each(['0.01', '0.05', '0.1', '0.2', '0.4', '0.8'])('-n %s trains, whichever way labels are', (nu) => {
    const runs = ['two', 'swapped'].map((file) =>
      ours('svm-train', '-s', '1', '-t', '0', '-n', nu, file, `${file}.model`),
    )
    for (const { status, stderr } of runs) {
      expect(status).toBe(0)
      expect(stderr).toBe(runs[0].stderr)
      expect(
        stderr === '' || stderr.startsWith('WARNING: NO MARGIN: the margin is 0 within the tolerance'),
      ).toBe(true)
    }
    if (!installed || runs[0].stderr !== '') return
    const exact = ours('svm-train', '-s', '1', '-t', '0', '-n', nu, '-e', '1e-6', 'two', 'two.model')
    const theirs = trained('svm-train', '-s', '1', '-t', '0', '-n', nu, '-e', '1e-6', 'two', 'theirs.model')
    expect(Math.abs(exact.obj - theirs.obj)).toBeLessThanOrEqual(1e-4 * Math.abs(theirs.obj))
    expect(Math.abs(exact.rho - theirs.rho)).toBeLessThanOrEqual(1e-4 * (1 + Math.abs(theirs.rho)))
  })

  test('cross validation goes on where there is no margin', () => {
    const { status, stdout } = ours('svm-train', '-q', '-s', '1', '-t', '0', '-n', '0.02', '-v', '5', 'two')
    expect(status).toBe(0)
    expect(stdout).toContain('Cross Validation Accuracy')
  })

  test('a nu that a pair of classes cannot hold is infeasible', () => {
    const { status, stderr } = ours('svm-train', '-s', '1', '-n', '0.9', 'uneven')
    expect([status, stderr]).toEqual([1, 'ERROR: specified nu is infeasible\n'])
  })
})

test('sixty classes are 1,770 pairs: one report for all of them, and a model that svm-predict reads', () => {
  const labels = Array.from({ length: 60 }, (_, c) => c)
  write('many', formatLibsvm(clouds(3, 180, labels)))
  const { status, stdout, stderr } = ours('svm-train', 'many', 'many.model')
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(
    /optimization of 1770 pairs finished, #iter = \d+\nnSV = \d+, nBSV = \d+\nTotal nSV = 180\n$/,
  )
  const mine = ours('svm-predict', 'many', 'many.model', 'mine').stdout
  if (installed) expect(trained('svm-predict', 'many', 'many.model', 'theirs').stdout).toBe(mine)
})
