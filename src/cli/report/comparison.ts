/** Solvers side by side. */

import type { Certificate } from '../../certify/certificate.ts'
import type { VectorDataset } from '../../data/table/dataset.ts'
import type { Fitted } from '../../estimators/parts/estimator.ts'
import type { KernelSpec } from '../../kernels/kernel.ts'
import { accuracy } from '../../metrics/classification.ts'
import type { SvcModel } from '../../models/svc-model.ts'
import type { BiasForm } from '../../problems/problem.ts'
import { type SolverName, solvers } from '../../solve/methods/registry.ts'
import { count, number, percent } from './output.ts'

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

/** Runs as cells of a table; `left` names the columns that hold words. */
export function comparisonTable(runs: readonly SolverRun[]) {
  return {
    columns: [
      'solver',
      'bias',
      'primal',
      'dual',
      'gap',
      'violation',
      'iterations',
      'seconds',
      'accuracy',
      'stopped',
    ],
    left: ['solver', 'bias', 'stopped'],
    rows: runs.map((run) => [
      run.solver,
      run.biasForm,
      number(run.primal, 7),
      number(run.dual, 7),
      number(run.gap, 2),
      number(run.maxViolation, 2),
      `${count(run.iterations)} ${run.unit}${run.iterations === 1 ? '' : 's'}`,
      number(run.seconds, 3),
      percent(run.accuracy),
      run.stopReason,
    ]),
  }
}
