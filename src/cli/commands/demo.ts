/** `hyperplane demo`: data, training, certificate, evaluation, solvers side by side, and a page with figures. */

import { refuseOtherEndings } from '../../data/files/known-endings.ts'
import { writeFileAtomically } from '../../data/files/write-file.node.ts'
import { generators } from '../../data/generators/generators.ts'
import type { VectorDataset } from '../../data/table/dataset.ts'
import { trainTestSplit } from '../../data/table/split.ts'
import type { Fitted } from '../../estimators/parts/estimator.ts'
import { SVC } from '../../estimators/svc.ts'
import { rbf } from '../../kernels/rbf.ts'
import type { SvcModel } from '../../models/svc-model.ts'
import { boundaryFigure, type RingCase } from '../../plots/boundary-figure.ts'
import { boundsFigure, convergenceFigure } from '../../plots/convergence-figure.ts'
import { htmlReport } from '../../plots/html-report.ts'
import type { SolverName } from '../../solve/methods/registry.ts'
import { checkFiles } from '../options/command-files.ts'
import { type Flags, numberOption, outputOption, subcommand } from '../options/options.ts'
import { certificateLines } from '../report/certificate-words.ts'
import { comparisonTable, type SolverRun, solverRun } from '../report/comparison.ts'
import { type Evaluation, evaluateAny, evaluationLines } from '../report/evaluation.ts'
import { allLines, cellLines, counted, percent, printResult } from '../report/output.ts'

/** Two moons that overlap a little: every solver is done in a second, and the figures show free and bounded support vectors. */
const SAMPLES = 400
const NOISE = 0.2
const C = 1
const GAMMA = 1
/** Solvers, and how many iterations apart the points of their curves are. The first one makes the model. */
const SOLVERS: readonly (readonly [SolverName, every: number])[] = [
  ['smo', 2],
  ['smo-mvp', 3],
  ['smo-platt', 10],
  ['smo-random', 10_000],
]
/** Seconds per solver: a slow machine still shows the demo within a few. */
const TIME_LIMIT = 1

const options = {
  output: outputOption('the page to write (default hyperplane-demo.html)'),
  seed: numberOption('seed of the data (default 1)'),
}

/** Adds arguments, options and action. */
export const configure = subcommand({
  options,
  notes: 'Example:\n  $ hyperplane demo -o demo.html',
  run,
})

async function run(flags: Flags<typeof options>): Promise<void> {
  const { output = 'hyperplane-demo.html', seed = 1 } = flags
  await checkFiles({}, { '--output': output })
  refuseOtherEndings(output, 'pages', ['html', 'htm'], 'allowed: .html')
  const dataset = generators.moons.generate({ n: SAMPLES, noise: NOISE, seed })
  const { train, test } = trainTestSplit(dataset, { testFraction: 0.25, seed })
  const models: Fitted<SvcModel>[] = []
  for (const [solver, every] of SOLVERS) {
    const estimator = new SVC({ kernel: rbf({ gamma: GAMMA }), C, solver, timeLimit: TIME_LIMIT, seed })
    // The first run of a solver waits for its code to be compiled; the second one shows its own speed.
    await estimator.fit(train)
    models.push(await estimator.fit(train, { trace: { every } }))
  }
  const [model] = models
  const evaluation = evaluateAny(test, model) as Evaluation
  const runs = models.map((one, k) => solverRun(SOLVERS[k][0], one, test))
  const story = tellStory(train, test, model)
  await writeFileAtomically(output, await page(story, train, models, evaluation, runs))
  const result = { ...model.certificate, bias: model.bias, evaluation, solvers: runs, output }
  printResult(flags, result, () => [
    ...story,
    '',
    'On held-out samples:',
    allLines(evaluationLines(evaluation)).map((line) => `  ${line}`.trimEnd()),
    '',
    'Solvers side by side on this problem:',
    cellLines(comparisonTable(runs)).map((line) => `  ${line}`),
    '',
    `Decision boundary and convergence curves: ${output} (open it in a browser)`,
    "Next: 'hyperplane train --help', 'hyperplane compare --help'",
  ])
}

function tellStory(train: VectorDataset, test: VectorDataset, model: Fitted<SvcModel>): string[] {
  const [trained, held] = [train.samples.rows, test.samples.rows]
  return [
    `Two half moons with noise: ${counted(trained, 'sample')} to train on, ${counted(held, 'sample')} held out.`,
    `Trained a support vector classifier (rbf kernel, gamma = ${GAMMA}, C = ${C}):`,
    ...certificateLines(model.certificate, trained).map((line) => `  ${line}`),
  ]
}

async function page(
  story: readonly string[],
  train: VectorDataset,
  models: readonly Fitted<SvcModel>[],
  evaluation: Evaluation,
  runs: readonly SolverRun[],
): Promise<string> {
  const [model] = models
  const courses = models.map((one, k) => ({ name: SOLVERS[k][0], trace: one.trace }))
  const boundary = boundaryFigure(
    {
      ...train,
      classes: [model.classes[0], model.classes[1]],
      decide: (rows) => model.decisionFunction(rows),
      cases: ringCases(model, train),
    },
    {
      title: 'What was learned',
      subtitle: `${model.certificate.supportVectors} support vectors of ${train.samples.rows} samples decide the boundary`,
    },
  )
  const bounds = boundsFigure(courses[0], {
    height: 560,
    title: 'How it was found',
    subtitle: 'the optimum lies between the two curves; where they meet, the model is proven optimal',
  })
  const over = 'seconds'
  const gap = convergenceFigure(courses, 'gap', { over, title: 'Duality gap by solver' })
  const violation = convergenceFigure(courses, 'violation', {
    over,
    title: 'Largest KKT violation by solver',
  })
  return htmlReport('Hyperplane: a support vector machine, trained and certified', [
    { heading: 'Model and certificate', text: story, figures: [await boundary, await bounds] },
    {
      heading: 'On held-out samples',
      text: [
        `Accuracy ${percent(evaluation.accuracy)}, precision ${percent(evaluation.precision)}, ` +
          `recall ${percent(evaluation.recall)}, F1 ${percent(evaluation.f1)}.`,
      ],
    },
    {
      heading: 'Solvers side by side',
      table: comparisonTable(runs),
      figures: [await gap, await violation],
    },
  ])
}

/** What the optimality conditions say of each sample, from its α and its margin y f(x). */
function ringCases(model: SvcModel, { samples, labels }: VectorDataset): RingCase[] {
  const alpha = new Float64Array(samples.rows)
  model.supportIndices?.forEach((i, s) => {
    alpha[i] = Math.abs(model.dualCoef[s])
  })
  return Array.from(model.decisionFunction(samples), (value, i) => {
    const margin = labels[i] === model.classes[1] ? value : -value
    if (margin <= 0) return 'misclassified'
    if (alpha[i] >= C) return 'inside'
    return alpha[i] > 0 ? 'on-margin' : 'outside'
  })
}
