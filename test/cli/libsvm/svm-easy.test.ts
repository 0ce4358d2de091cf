/**
 * LIBSVM's own scripts, unmodified, on our commands: Debian's `svm-grid` (grid.py) and `svm-easy` (easy.py) reach with them
 * what they reach with LIBSVM's. Needs Debian's libsvm-tools and gnuplot.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { generate } from '../../../src/data/generators/generators.ts'
import { formatLibsvm } from '../../../src/data/libsvm/libsvm-writer.ts'
import { toolFolder, toolsInstalled } from '../../suites/installed-tools.ts'

const commands = ['svm-train', 'svm-predict', 'svm-scale'] as const
const installed = toolsInstalled('libsvm-tools', [...commands, 'svm-grid', 'svm-easy'])
const { path, write, read } = toolFolder()

const dist = fileURLToPath(new URL('../../../dist/cli/', import.meta.url))
const sides = {
  ours: (command: string) => `${dist}${command}.js`,
  theirs: (command: string) => which(command),
}

/** Where LIBSVM's scripts expect things: commands in a folder, the scripts in `tools` inside it. */
function folderOf(side: keyof typeof sides): string {
  mkdirSync(path(`${side}/tools`), { recursive: true })
  for (const command of commands) symlinkSync(sides[side](command), path(`${side}/${command}`))
  symlinkSync(which('svm-grid'), path(`${side}/tools/grid.py`))
  return path(`${side}/tools`)
}

function which(command: string): string {
  return execFileSync('which', [command], { encoding: 'utf8' }).trim()
}

const moons = generate('moons', { n: 240, noise: 0.25, seed: 5 })
const grid = ['-log2c', '-1,5,3', '-log2g', '1,-3,-2', '-v', '4', '-gnuplot', 'null', '-out', 'null']

describe.skipIf(!installed)('svm-grid', () => {
  write('moons', formatLibsvm(moons))

  test('finds the same cell at the same rate', () => {
    const [ours, theirs] = (['ours', 'theirs'] as const).map((side) => {
      const args = [which('svm-grid'), '-svmtrain', sides[side]('svm-train'), ...grid, path('moons')]
      const { stdout, status } = spawnSync('python3', args, { cwd: path(''), encoding: 'utf8' })
      expect(status).toBe(0)
      const lines = stdout.trim().split('\n')
      return { best: lines.at(-1)?.split(' ').map(Number), cells: lines.slice(0, -1).map(cellOf) }
    })
    expect(ours.cells.length).toBe(9)
    // A sample within the tolerance of the boundary may fall on either side of it: 1 of 240 is 0.42 points.
    ours.cells.forEach(({ cell, rate }, k) => {
      expect(cell).toBe(theirs.cells[k].cell)
      expect(Math.abs(rate - theirs.cells[k].rate)).toBeLessThan(0.5)
    })
    const [C, gamma, rate] = ours.best ?? []
    expect(Math.abs(rate - (theirs.best?.[2] ?? 0))).toBeLessThan(0.5)
    expect([C > 0, gamma > 0]).toEqual([true, true])
  })
})

/** One line of svm-grid: `[local] 2.0 -1.0 87.5 (best c=…, g=…, rate=…)`. */
function cellOf(line: string): { cell: string; rate: number } {
  const [, cell, rate] = /^\[local\] (\S+ \S+) (\S+) \(best /.exec(line) ?? []
  return { cell, rate: Number(rate) }
}

/** 3,089 and 4,000 samples of physics, which easy.py is shown with in LIBSVM's guide. The whole takes minutes. */
const svmguide1 = resolve(fileURLToPath(new URL('../../../../shared/data/svmguide1', import.meta.url)))

const asked = process.env.HYPERPLANE_SLOW_TESTS === '1'
const ready = installed && existsSync(svmguide1) && existsSync('/usr/bin/gnuplot')

describe.skipIf(!asked || !ready)('svm-easy', () => {
  test('on svmguide1: the accuracy of LIBSVM within 0.2 points', { timeout: 3_600_000 }, () => {
    const [ours, theirs] = (['ours', 'theirs'] as const).map((side) => {
      const args = [which('svm-easy'), svmguide1, `${svmguide1}.t`]
      const { stdout, status } = spawnSync('python3', args, { cwd: folderOf(side), encoding: 'utf8' })
      expect(status).toBe(0)
      expect(read(`${side}/tools/svmguide1.t.predict`).trim().split('\n').length).toBe(4000)
      return Number(/^Accuracy = (\S+)% \(\d+\/4000\) \(classification\)$/m.exec(stdout)?.[1])
    })
    expect(Math.abs(ours - theirs)).toBeLessThanOrEqual(0.2)
  })
})
