/** Models made by hand or drawn at random: what is in them matters here, not what they predict. */
import fc from 'fast-check'
import type { Matrix } from '../../src/data/matrix.ts'
import type { AnyKernel } from '../../src/kernels/kernel.ts'
import { linear } from '../../src/kernels/linear.ts'
import { polynomial } from '../../src/kernels/polynomial.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import { sigmoid } from '../../src/kernels/sigmoid.ts'
import { LinearSvcModel } from '../../src/models/linear-svc-model.ts'
import type { Model } from '../../src/models/model.ts'
import { SvcModel } from '../../src/models/svc-model.ts'
import type { Certificate } from '../../src/problems/certificate.ts'

// The same draws on every machine.
fc.configureGlobal({ seed: 1 })

/** Any finite double: zeros of both signs, denormals and the largest ones among them. */
export const anyDouble = fc.double({ noNaN: true, noDefaultInfinity: true })

const certificate: fc.Arbitrary<Certificate> = fc.record(
  {
    primal: fc.double(),
    dual: fc.double(),
    gap: fc.double(),
    maxViolation: fc.double({ min: 0 }),
    supportVectors: fc.nat(),
    boundedSupportVectors: fc.nat(),
    stopReason: fc.constantFrom(
      'converged',
      'stalled',
      'unbounded',
      'iteration-limit',
      'time-limit',
      'aborted',
    ),
    iterations: fc.nat(),
    seconds: fc.double({ min: 0, max: 1e9, noNaN: true }),
    solver: fc.string(),
    tol: fc.double({ min: 0 }),
  },
  { noNullPrototype: true },
)

const kernel: fc.Arbitrary<AnyKernel> = fc.oneof(
  fc.constant(linear()),
  fc.double({ min: 0, max: 1e6, noNaN: true }).map((gamma) => rbf({ gamma })),
  fc
    .record({ gamma: fc.double({ min: 0, max: 9, noNaN: true }), coef0: anyDouble, degree: fc.nat(9) })
    .map((options) => polynomial(options)),
  fc
    .record({ gamma: fc.double({ min: 0, max: 9, noNaN: true }), coef0: anyDouble })
    .map((options) => sigmoid(options)),
)

function matrix(rows: number, cols: number): fc.Arbitrary<Matrix> {
  const dense = fc
    .array(anyDouble, { minLength: rows * cols, maxLength: rows * cols })
    .map((values): Matrix => ({ kind: 'dense', rows, cols, values: Float64Array.from(values) }))
  const sparseRow = fc.uniqueArray(fc.nat(Math.max(0, cols - 1)), { maxLength: cols })
  const sparse = fc.array(sparseRow, { minLength: rows, maxLength: rows }).chain((columns) => {
    const indices = columns.flatMap((row) => row.sort((a, b) => a - b))
    const indptr = [0]
    for (const row of columns) indptr.push(indptr[indptr.length - 1] + row.length)
    return fc.array(anyDouble, { minLength: indices.length, maxLength: indices.length }).map(
      (values): Matrix => ({
        kind: 'sparse',
        rows,
        cols,
        indptr: Uint32Array.from(indptr),
        indices: Uint32Array.from(indices),
        values: Float64Array.from(values),
      }),
    )
  })
  return fc.oneof(dense, sparse)
}

const numberClasses = fc
  .tuple(fc.integer({ min: -(2 ** 31) + 1, max: 2 ** 31 - 1 }), fc.integer({ min: -1000, max: 1000 }))
  .filter(([a, b]) => a !== b)
const stringClasses = fc.tuple(fc.string(), fc.string()).filter(([a, b]) => a !== b)

/** Kernel classifiers; `libsvm` keeps to what LIBSVM's format can hold. */
export function someSvc(libsvm: boolean): fc.Arbitrary<SvcModel<unknown>> {
  return fc.tuple(fc.nat(6), fc.integer({ min: 1, max: 5 })).chain(([rows, cols]) =>
    fc
      .record({
        classes: libsvm ? numberClasses : fc.oneof(numberClasses, stringClasses),
        bias: anyDouble,
        kernel,
        supportVectors: matrix(rows, cols),
        dualCoef: fc
          .array(libsvm ? anyDouble.filter((x) => x !== 0) : anyDouble, { minLength: rows, maxLength: rows })
          .map((values) => Float64Array.from(values)),
        probability: fc.option(fc.record({ a: anyDouble, b: anyDouble }, { noNullPrototype: true }), {
          nil: undefined,
        }),
        indices: fc.option(fc.constant(Uint32Array.from({ length: rows }, (_, s) => 3 * s)), {
          nil: undefined,
        }),
        certificate: fc.option(certificate, { nil: undefined }),
        scale: fc.option(fc.double({ min: 1e-3, max: 1e3, noNaN: true }), { nil: undefined }),
        mean: anyDouble,
      })
      .map(({ indices, scale, mean, ...parts }) => {
        if (libsvm) return new SvcModel<unknown>({ ...parts, certificate: undefined })
        return new SvcModel<unknown>({
          ...parts,
          supportIndices: indices,
          features: cols,
          featureNames: Array.from({ length: cols }, (_, j) => `feature ${j}`),
          ...(scale && {
            scaler: { kind: 'standard', mean: Array(cols).fill(mean), scale: Array(cols).fill(scale) },
          }),
        })
      }),
  )
}

/** Linear classifiers. */
export const someLinearSvc: fc.Arbitrary<LinearSvcModel> = fc
  .record({
    classes: fc.oneof(numberClasses, stringClasses),
    bias: anyDouble,
    coef: fc.array(anyDouble, { maxLength: 8 }).map((values) => Float64Array.from(values)),
    certificate: fc.option(certificate, { nil: undefined }),
  })
  .map((parts) => new LinearSvcModel({ ...parts, features: parts.coef.length }))

/** The data of a model, without its kernel's functions: what a file must bring back. */
export function dataOf(model: Model): object {
  const { kernel, ...rest } = model
  return { ...rest, kernel: kernel.spec }
}
