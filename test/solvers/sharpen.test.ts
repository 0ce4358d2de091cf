/** Primal and dual value by f32 rows are what the reference backend computes, though samples come many times over. */
import { describe, expect, it } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { plainExpansionValues, signedAlpha } from '../../src/certify/expansion-values.ts'
import { measure } from '../../src/certify/measure.ts'
import { giveEngine, takeEngine } from '../../src/compute/engine.ts'
import { type EngineKernel, uploadKernel } from '../../src/compute/engine-kernel.ts'
import { uploadMatrix } from '../../src/compute/engine-matrix.ts'
import type { SparseMatrix } from '../../src/data/matrix.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import type { BoxDual } from '../../src/problems/box-dual.ts'
import { boxDualOf } from '../../src/problems/box-form.ts'
import { makeProblem } from '../../src/problems/problem.ts'
import { BlockSums } from '../../src/solvers/block-sums.ts'
import { boxBias } from '../../src/solvers/box-bias.ts'
import { solveSync } from '../../src/solvers/run.ts'
import { sharpen } from '../../src/solvers/sharpen.ts'
import { smo } from '../../src/solvers/smo.ts'
import { engineKernelOf } from '../../src/solvers/smo-blocks.ts'

/** Sparse rows of ones with noisy labels; every other row is the same one, nearly always −1: these end on the margin. */
function repetitive(seed: number, rows: number) {
  const random = new Random(seed)
  const cols = 120
  const indptr = new Uint32Array(rows + 1)
  const indices: number[] = []
  const y: number[] = []
  for (let i = 0; i < rows; i++) {
    const repeated = i % 2 === 0
    const own = repeated
      ? [3]
      : Array.from({ length: cols }, (_, j) => j).filter(() => random.uniform() < 0.08)
    indices.push(...own)
    indptr[i + 1] = indices.length
    const score = own.reduce((sum, j) => sum + Math.sin(7 * j), 0) + 2 * random.uniform() - 1
    y.push((repeated ? i % 32 === 0 : score > 1.5) ? 1 : -1)
  }
  const values = new Float64Array(indices.length).fill(1)
  const samples: SparseMatrix = {
    ...{ kind: 'sparse', rows, cols },
    ...{ indptr, indices: Uint32Array.from(indices), values },
  }
  return makeProblem({ samples, y, kernel: rbf({ gamma: 0.05 }), C: 1 })
}

const range = (length: number) => Array.from({ length }, (_, i) => i)

function sharpenOnEngine(
  dual: BoxDual,
  beta: Float64Array,
  v: Float64Array,
  budget: number,
  checked: readonly number[] = [],
): Float64Array {
  const kernel = engineKernelOf(dual) as EngineKernel
  const engine = takeEngine(1)
  const mark = engine.mark()
  try {
    const samples = dual.samples as SparseMatrix
    engine.reserveScratch(samples.cols)
    const pointer = uploadKernel(engine, kernel)
    const sums = new BlockSums(engine, dual, pointer, uploadMatrix(engine, samples, kernel), () => false)
    const sharp = v.slice()
    sharpen(dual, beta, sharp, sums, budget, 1e-4, new Set(checked))
    return sharp
  } finally {
    giveEngine(engine, mark)
  }
}

describe('sharpen', () => {
  const problem = repetitive(5, 1200)
  const dual = boxDualOf(problem)
  const { alpha } = solveSync(problem, smo, {}, { threads: 1 })
  const beta = signedAlpha(problem, alpha)
  const g = plainExpansionValues(problem, beta)
  const exact = g.map((value, i) => dual.target[i] - value)
  /** With errors as f32 rows make them: equal samples have the same. The repeated ones are put on the wrong side. */
  const random = new Random(7)
  const rough = exact.map((value, i) => (i % 2 === 0 ? value - 2e-3 : value + 2e-6 * random.normal()))
  const valuesOf = (v: Float64Array) => {
    const { bias } = boxBias(dual, beta, v)
    const claimed = measure(
      problem,
      { alpha, bias },
      v.map((value, i) => dual.target[i] - value),
    )
    const { primal, dual: value } = measure(problem, { alpha, bias }, g)
    return { primal: Math.abs(claimed.primal / primal - 1), dual: Math.abs(claimed.dual / value - 1) }
  }

  it('makes both values true, wherever errors are the same many times', () => {
    expect(valuesOf(rough).primal).toBeGreaterThan(1e-4)
    const sharp = valuesOf(sharpenOnEngine(dual, beta, rough, 1e9))
    expect(sharp.primal).toBeLessThan(4e-7)
    expect(sharp.dual).toBeLessThan(4e-7)
  })

  it('begins with what appears most often, and stops after the first 64 kinds when its budget is used up', () => {
    const sharp = sharpenOnEngine(dual, beta, rough, 0)
    const isExact = (i: number) => Math.abs(sharp[i] - exact[i]) < 1e-10
    expect(range(sharp.length).filter((i) => i % 2 === 0 && !isExact(i))).toEqual([])
    expect(range(sharp.length).filter((i) => i % 2 === 1 && isExact(i))).toHaveLength(63)
  })

  it('takes away what all errors have in common, where that was not done before', () => {
    const noise = new Random(11)
    const shifted = exact.map((value) => value + 3e-5 + 1e-7 * noise.normal())
    const told = range(exact.length).filter((i) => i % 2 === 1 && beta[i] !== 0)
    const checked = told.slice(-3)
    for (const i of checked) shifted[i] = exact[i]
    const sharp = sharpenOnEngine(dual, beta, shifted, 0, checked)
    expect(told.length).toBeGreaterThan(100)
    for (const i of told)
      expect(Math.abs(sharp[i] - exact[i])).toBeLessThan(checked.includes(i) ? 1e-10 : 6e-7)
  })
})

describe('the certificate of a large problem', () => {
  it('is true though thousands of equal samples are on the margin', () => {
    const large = repetitive(2, 16_000)
    const { certificate, alpha, bias } = solveSync(large, smo, {}, { threads: 1 })
    const values = plainExpansionValues(large, signedAlpha(large, alpha))
    const exact = measure(large, { alpha, bias }, values)
    expect(certificate).toMatchObject({ precision: 'f32', stopReason: 'converged' })
    expect(Math.abs(certificate.primal / exact.primal - 1)).toBeLessThan(5e-7)
    expect(Math.abs(certificate.dual / exact.dual - 1)).toBeLessThan(5e-7)
    expect(Math.abs(certificate.maxViolation - exact.maxViolation)).toBeLessThan(1e-5)
  }, 30_000)
})
