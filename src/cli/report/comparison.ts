/** Solvers side by side. */

import type { Certificate } from '../../certify/certificate.ts'
import type { VectorDataset } from '../../data/table/dataset.ts'
import type { Fitted } from '../../estimators/parts/estimator.ts'
import type { KernelSpec } from '../../kernels/kernel.ts'
import { accuracy } from '../../metrics/classification.ts'
import type { SvcModel } from '../../models/svc-model.ts'
import type { BiasForm } from '../../problems/problem.ts'
import { type SolverName, solvers } from '../../solve/methods/registry.ts'
import { type CellTable, counted, number, percent, tableOf } from './output.ts'

/** What a solver reached. */
export interface SolverRun extends Certificate {
  /** What an iteration is. */
  readonly unit: string
  /** Whether the bias is left free or is part of the norm: two slightly different problems. */
  readonly biasForm: BiasForm
  readonly bias: number
  /** The kernel, with all parameters as numbers. */
  readonly kernel: KernelSpec
  readonly accuracy: number
}

/** Which problem {@link SVC} gives to a solver: the bias is free wherever the solver can leave it so. */
export function biasFormOf(solver: SolverName): BiasForm {
  const { biasForms } = solvers[solver]
  return biasForms.includes('free') ? 'free' : biasForms[0]
}

/** What a solver reached, and how accurate its model is on `test`. */
export function solverRun(solver: SolverName, model: Fitted<SvcModel>, test: VectorDataset): SolverRun {
  return {
    ...model.certificate,
    unit: solvers[solver].unit,
    biasForm: biasFormOf(solver),
    bias: model.bias,
    kernel: model.kernel.spec,
    accuracy: accuracy(test.labels, model.predict(test.samples)),
  }
}

/** Runs as a table. */
export function comparisonTable(runs: readonly SolverRun[]): CellTable {
  return tableOf(runs, [
    ['solver', ({ solver }) => solver, 'left'],
    ['bias', ({ biasForm }) => biasForm, 'left'],
    ['primal', ({ primal }) => number(primal, 7)],
    ['dual', ({ dual }) => number(dual, 7)],
    ['gap', ({ gap }) => number(gap, 2)],
    ['violation', ({ maxViolation }) => number(maxViolation, 2)],
    ['iterations', ({ iterations, unit }) => counted(iterations, unit)],
    ['seconds', ({ seconds }) => number(seconds, 3)],
    ['accuracy', (run) => percent(run.accuracy)],
    ['stopped', ({ stopReason }) => stopReason, 'left'],
  ])
}
