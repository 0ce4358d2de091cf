/**
 * What `svm-train` prints, ours beside Debian's, at a tight tolerance: every type and kernel, weighted or not, on several
 * data sets. Needs Debian's libsvm-tools.
 */
import { describe, expect, test } from 'vitest'
import { crossValidationLines } from '../../../src/cli/libsvm/cross-validation.ts'
import { takeFlags } from '../../../src/cli/libsvm/letter-flags.ts'
import { foldTraining } from '../../../src/cli/libsvm/svm-train-folds.ts'
import { fitWithReport } from '../../../src/cli/libsvm/svm-train-report.ts'
import { SVM_TRAIN_LETTERS, svmTrainSettings } from '../../../src/cli/libsvm/svm-train-settings.ts'
import { generate } from '../../../src/data/generators/generators.ts'
import { parseLibsvm } from '../../../src/data/libsvm/libsvm-parser.ts'
import { formatLibsvm } from '../../../src/data/libsvm/libsvm-writer.ts'
import type { VectorDataset } from '../../../src/data/table/dataset.ts'
import { runInSlices, setFitRunner } from '../../../src/estimators/fitting/fit-runner.ts'
import { toolFolder, toolsInstalled } from '../../suites/installed-tools.ts'
import { clouds, curve, kernelRows } from '../../suites/tool-data.ts'

const installed = toolsInstalled('libsvm-tools', ['svm-train'])
const { write, run } = toolFolder()
setFitRunner(runInSlices)

const classes = {
  'two classes': clouds(1, 120, [1, -1]),
  'moons, 7 before 3': relabelled(generate('moons', { n: 100, noise: 0.25, seed: 3 }), [7, 3]),
  'four classes': clouds(2, 140, [4, 2, 9, 0]),
  'six classes': clouds(3, 180, [1, 2, 3, 4, 5, 6]),
} as const
const targets = { curve: curve(4, 120), 'another curve': curve(5, 90) } as const

const kernels = {
  linear: ['-t', '0'],
  polynomial: ['-t', '1', '-g', '0.25', '-r', '1', '-d', '2'],
  rbf: ['-t', '2', '-g', '0.25'],
  sigmoid: ['-t', '3', '-g', '0.03125', '-r', '-0.25'],
  precomputed: ['-t', '4'],
} as const

interface Case {
  readonly name: string
  readonly data: VectorDataset
  readonly options: readonly string[]
}

const cases: readonly Case[] = Object.entries(kernels).flatMap(([kernel, shape]) => {
  const of = (sets: Readonly<Record<string, VectorDataset>>, type: string, ...options: readonly string[]) =>
    Object.entries(sets).map(([set, data]) => ({
      name: `${type}, ${kernel}, ${set}${options.some((word) => word.startsWith('-w')) ? ', weighted' : ''}`,
      data: kernel === 'precomputed' ? { ...data, samples: kernelRows(data.samples, data.samples) } : data,
      options: [...shape, ...options],
    }))
  const weights = (set: VectorDataset) =>
    [...new Set(set.labels as Float64Array)].flatMap((label, c) => [
      `-w${label}`,
      String([0.5, 2, 1, 3][c % 4]),
    ])
  return [
    ...of(classes, 'c-svc', '-s', '0', '-c', '2'),
    ...Object.entries(classes).flatMap(([set, data]) =>
      of({ [set]: data }, 'c-svc', '-s', '0', '-c', '2', ...weights(data)),
    ),
    ...of(classes, 'nu-svc', '-s', '1', '-n', '0.63'),
    ...of(classes, 'one-class', '-s', '2', '-n', '0.2'),
    ...of(targets, 'epsilon-svr', '-s', '3', '-c', '2', '-p', '0.1'),
    ...of(targets, 'nu-svr', '-s', '4', '-c', '2', '-n', '0.3'),
  ]
})

describe.skipIf(!installed)('lines at -e 1e-5', () => {
  test.each(cases.map((one) => [one.name, one] as const))('%s', async (_, { data, options }) => {
    const all = [...options, '-e', '1e-5']
    const text = formatLibsvm(data, { indexBase: options[1] === '4' ? 0 : 1 })
    write('train', text)
    const theirs = linesOf(run('svm-train', all, 'train', 'model'))
    const ours = linesOf(await report(all, text))
    expect(ours.problems.length).toBe(theirs.problems.length)
    // The solution that is printed is good to the tolerance, and a ν-classifier is blown up by its C.
    ours.problems.forEach((problem, p) => {
      const wanted = theirs.problems[p]
      const scale = wanted.C ?? 1
      const relative = wanted.C === undefined ? 1e-5 : 2e-5 * Math.max(1, scale)
      expectNear(problem.obj, wanted.obj, 1e-5 + relative * Math.abs(wanted.obj))
      expectNear(problem.C, wanted.C, 1e-6 + 2e-5 * scale * scale)
      expectNear(problem.nu, wanted.nu, 1e-4)
      expectNear(problem.epsilon, wanted.epsilon, 2e-5)
      // Without a free support vector every rho of an interval is optimal, and both take its middle.
      expectNear(problem.rho, wanted.rho, 2e-5 * scale * (1 + Math.abs(wanted.rho)))
    })
  })

  // With a kernel matrix of full rank the coefficients are unique, and so are those that are 0 or at a bound.
  const unique = cases.filter(({ options }) => options[1] === '2' || options[1] === '4')
  test.each(unique.map((one) => [one.name, one] as const))('counts: %s', async (_, { data, options }) => {
    const all = [...options, '-e', '1e-7']
    const text = formatLibsvm(data, { indexBase: options[1] === '4' ? 0 : 1 })
    write('train', text)
    const theirs = linesOf(run('svm-train', all, 'train', 'model'))
    const ours = linesOf(await report(all, text))
    const counts = ({ problems, total }: typeof ours) => ({
      problems: problems.map(({ nSV, nBSV }) => [nSV, nBSV]),
      total,
    })
    expect(counts(ours)).toEqual(counts(theirs))
  })
})

describe.skipIf(!installed)('cross validation', () => {
  test.each([
    ['two classes', classes['two classes'], ['-s', '0', '-g', '0.25'], 5],
    [
      '-1 before +1',
      { ...classes['two classes'], labels: negated(classes['two classes']) },
      ['-g', '0.5'],
      4,
    ],
    ['six classes', classes['six classes'], ['-s', '0', '-g', '0.25'], 5],
    ['leave one out', classes['two classes'], ['-s', '0', '-t', '0'], 120],
    ['one class', classes['two classes'], ['-s', '2', '-n', '0.2'], 3],
    ['regression', targets.curve, ['-s', '3', '-g', '0.25'], 3],
  ] as const)('%s: the same folds, the same figures', async (_, data, options, folds) => {
    const text = formatLibsvm(data)
    write('train', text)
    const all = [...options, '-v', String(folds), '-e', '1e-5']
    const pattern = /^Cross Validation (.*) = ([\d.]+)(%?)$/gm
    const theirs = [...run('svm-train', ['-q', ...all], 'train').matchAll(pattern)]
    const flags = takeFlags(all, { letters: SVM_TRAIN_LETTERS })
    const settings = svmTrainSettings(flags)
    const { classifies: stratify, regression } = settings
    const dataset = read(text, 1)
    const training = foldTraining(settings, dataset, () => {})
    const lines = await crossValidationLines({ folds, stratify, regression, ...training }, dataset)
    const ours = [...lines.matchAll(pattern)]
    expect(ours.map(([, what, , unit]) => [what, unit])).toEqual(
      theirs.map(([, what, , unit]) => [what, unit]),
    )
    ours.forEach(([, , value], k) => {
      expectNear(Number(value), Number(theirs[k][2]), 2e-5 * Number(value))
    })
  })
})

interface Problem {
  readonly nu: number | undefined
  readonly C: number | undefined
  readonly epsilon: number | undefined
  readonly obj: number
  readonly rho: number
  readonly nSV: number
  readonly nBSV: number
}

/** The numbers of each problem, and of the whole. */
function linesOf(output: string): { problems: Problem[]; total: number | undefined } {
  const find = (text: string, pattern: RegExp) => {
    const [, found] = pattern.exec(text) ?? []
    return found === undefined ? undefined : Number(found)
  }
  const blocks = output.split(/^\.*\*?\.*\n?optimization finished, #iter = \d+$/m).slice(1)
  return {
    problems: blocks.map((block) => ({
      nu: find(block, /^nu = (\S+)$/m),
      C: find(block, /^C = (\S+)$/m),
      epsilon: find(block, /^epsilon = (\S+)$/m),
      obj: find(block, /^obj = (\S+), rho = /m) as number,
      rho: find(block, /, rho = (\S+)$/m) as number,
      nSV: find(block, /^nSV = (\d+), nBSV/m) as number,
      nBSV: find(block, /, nBSV = (\d+)$/m) as number,
    })),
    total: find(output, /^Total nSV = (\d+)$/m),
  }
}

async function report(options: readonly string[], text: string): Promise<string> {
  const settings = svmTrainSettings(takeFlags(options, { letters: SVM_TRAIN_LETTERS, prefixed: 'w' }))
  let said = ''
  await fitWithReport(settings, read(text, settings.precomputed ? 0 : 1), (more) => {
    said += more
  })
  return said
}

function read(text: string, indexBase: 0 | 1): VectorDataset {
  return parseLibsvm(text, { indexBase })
}

/** Both absent, or both there and close. */
function expectNear(found: number | undefined, wanted: number | undefined, tolerance: number): void {
  expect(found === undefined).toBe(wanted === undefined)
  if (found === undefined || wanted === undefined) return
  expect(Math.abs(found - wanted), `${found} where ${wanted} is expected`).toBeLessThanOrEqual(tolerance)
}

function negated({ labels }: VectorDataset): Float64Array {
  return Float64Array.from(labels as Float64Array, (y) => -y)
}

function relabelled(data: VectorDataset, labels: readonly [number, number]): VectorDataset {
  return { ...data, labels: Float64Array.from(data.labels as Float64Array, (y) => labels[y > 0 ? 0 : 1]) }
}
