/** Models made by hand or drawn at random: what is in them matters here, not what they predict. */
import fc from 'fast-check'
import type { Certificate } from '../../src/certify/certificate.ts'
import type { Matrix } from '../../src/data/matrix/matrix.ts'
import type { AnyKernel } from '../../src/kernels/kernel.ts'
import { linear } from '../../src/kernels/linear.ts'
import { polynomial } from '../../src/kernels/polynomial.ts'
import { rbf } from '../../src/kernels/rbf.ts'
import { sigmoid } from '../../src/kernels/sigmoid.ts'
import { LinearOneClassModel } from '../../src/models/linear-one-class-model.ts'
import { LinearSvcModel } from '../../src/models/linear-svc-model.ts'
import { LinearSvrModel } from '../../src/models/linear-svr-model.ts'
import type { Model } from '../../src/models/model.ts'
import type {
  KernelParts,
  ModelParts,
  PairProbability,
  SingleKernelParts,
} from '../../src/models/model-parts.ts'
import { OneClassModel } from '../../src/models/one-class-model.ts'
import { defaultLabelOrder } from '../../src/models/pairs.ts'
import { SvcModel } from '../../src/models/svc-model.ts'
import { SvrModel } from '../../src/models/svr-model.ts'

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

/** Whole numbers as LIBSVM's files hold them; smallest first. */
const numberClasses = (k: number) =>
  fc
    .uniqueArray(
      fc.oneof(fc.integer({ min: -(2 ** 31) + 1, max: 2 ** 31 - 1 }), fc.integer({ min: -9, max: 9 })),
      { minLength: k, maxLength: k },
    )
    .map((labels) => labels.sort((one, other) => one - other))
const stringClasses = (k: number) =>
  fc.uniqueArray(fc.string(), { minLength: k, maxLength: k }).map((labels) => labels.sort())
const someClasses = (k: number) => fc.oneof(numberClasses(k), stringClasses(k))

/** An order of k classes that is not the usual one, or none. */
function labelOrder(k: number): fc.Arbitrary<number[] | undefined> {
  const usual = defaultLabelOrder(k)
  return maybe(fc.shuffledSubarray(usual, { minLength: k, maxLength: k })).map((order) =>
    order?.every((position, p) => position === usual[p]) ? undefined : order,
  )
}

function maybe<T>(some: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(some, { nil: undefined })
}

function doubles(count: number): fc.Arbitrary<Float64Array> {
  return fc
    .array(anyDouble, { minLength: count, maxLength: count })
    .map((values) => Float64Array.from(values))
}

function several<T>(count: number, some: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.array(some, { minLength: count, maxLength: count })
}

const curve = fc
  .uniqueArray(anyDouble, { minLength: 1, maxLength: 4 })
  // 0 and -0 are not two places.
  .map((values) => Float64Array.from(new Set(values.map((value) => value + 0))).sort())
  .chain((x) => doubles(x.length).map((y) => ({ x, y })))

function sigmoids(machines: number): fc.Arbitrary<PairProbability> {
  return fc
    .tuple(doubles(machines), doubles(machines))
    .map(([a, b]): PairProbability => ({ method: 'sigmoid', a, b }))
}

function probabilities(machines: number): fc.Arbitrary<PairProbability> {
  const isotonic = several(machines, curve).map(
    (curves): PairProbability => ({
      method: 'isotonic',
      x: curves.map(({ x }) => x),
      y: curves.map(({ y }) => y),
    }),
  )
  return fc.oneof(sigmoids(machines), isotonic)
}

/** What models have beside their functions; nothing of it for LIBSVM, whose format has no place for it. */
function surroundings(cols: number, certificates: number, libsvm: boolean): fc.Arbitrary<ModelParts> {
  if (libsvm) return fc.constant({})
  return fc
    .record({
      certificates: certificates === 0 ? fc.constant(undefined) : maybe(several(certificates, certificate)),
      scale: maybe(fc.double({ min: 1e-3, max: 1e3, noNaN: true })),
      mean: anyDouble,
    })
    .map(
      ({ certificates, scale, mean }): ModelParts => ({
        certificates,
        features: cols,
        featureNames: Array.from({ length: cols }, (_, j) => `feature ${j}`),
        ...(scale && {
          scaler: { kind: 'standard', mean: Array(cols).fill(mean), scale: Array(cols).fill(scale) },
        }),
      }),
    )
}

function support(rows: number, cols: number, libsvm: boolean): fc.Arbitrary<KernelParts<unknown>> {
  const indices = Uint32Array.from({ length: rows }, (_, s) => 3 * s)
  return fc.record({
    kernel,
    supportVectors: matrix(rows, cols),
    supportIndices: libsvm ? fc.constant(undefined) : maybe(fc.constant(indices)),
  })
}

/** Kernel classifiers of one to five classes; `libsvm` keeps to what LIBSVM's format can hold. */
export function someSvc(libsvm: boolean): fc.Arbitrary<SvcModel<unknown>> {
  return fc
    .tuple(fc.constantFrom(2, 2, 3, 4, 5, 1), fc.integer({ min: 1, max: 5 }))
    .chain(([k, cols]) => fc.tuple(several(k, fc.nat(k === 1 ? 0 : 3)), fc.constant(k), fc.constant(cols)))
    .chain(([counts, k, cols]) => {
      const rows = counts.reduce((sum, count) => sum + count, 0)
      const pairs = (k * (k - 1)) / 2
      return fc
        .record({
          own: fc.record({
            type: fc.constantFrom('svc', 'nu-svc'),
            classes: libsvm ? numberClasses(k) : someClasses(k),
            labelOrder: labelOrder(k),
            biases: doubles(pairs),
            dualCoef: doubles((k - 1) * rows),
            probability:
              pairs === 0 ? fc.constant(undefined) : maybe((libsvm ? sigmoids : probabilities)(pairs)),
            decisionFunctionShape: fc.constantFrom('ovr', 'ovo'),
            breakTies: libsvm ? fc.constant(false) : fc.boolean(),
          }),
          kernelled: support(rows, cols, libsvm),
          around: surroundings(cols, pairs, libsvm),
        })
        .map(
          ({ own, kernelled, around }) =>
            new SvcModel<unknown>({
              ...own,
              ...kernelled,
              ...around,
              supportCounts: Uint32Array.from(counts),
            }),
        )
    })
}

/** Kernel models of one function. */
function someSingle<M>(
  libsvm: boolean,
  make: (parts: SingleKernelParts<unknown>) => fc.Arbitrary<M>,
): fc.Arbitrary<M> {
  return fc.tuple(fc.nat(6), fc.integer({ min: 1, max: 5 })).chain(([rows, cols]) =>
    fc
      .record({
        bias: anyDouble,
        dualCoef: doubles(rows),
        kernelled: support(rows, cols, libsvm),
        around: surroundings(cols, 1, libsvm),
      })
      .chain(({ bias, dualCoef, kernelled, around }) => make({ bias, dualCoef, ...kernelled, ...around })),
  )
}

/** Kernel regressions. */
export function someSvr(libsvm: boolean): fc.Arbitrary<SvrModel<unknown>> {
  const sigma = fc.double({ min: 0, max: 1e300, noNaN: true })
  return someSingle(libsvm, (parts) =>
    fc.tuple(fc.constantFrom('svr', 'nu-svr'), maybe(sigma)).map(
      ([type, noise]) =>
        new SvrModel<unknown>({
          ...parts,
          type,
          probability: noise === undefined ? undefined : { method: 'laplace', sigma: noise },
        }),
    ),
  )
}

/** One-class models. */
export function someOneClass(libsvm: boolean): fc.Arbitrary<OneClassModel<unknown>> {
  return someSingle(libsvm, (parts) =>
    maybe(doubles(10)).map(
      (marks) =>
        new OneClassModel<unknown>({
          ...parts,
          probability: marks && { method: 'density', marks: marks.sort() },
        }),
    ),
  )
}

/** Linear classifiers; `liblinear` keeps to what LIBLINEAR's format can hold. */
export function someLinearSvc(liblinear: boolean): fc.Arbitrary<LinearSvcModel> {
  return fc
    .tuple(
      fc.constantFrom(2, 2, 3, 5),
      fc.constantFrom('ovr', 'crammer-singer'),
      fc.integer({ min: 1, max: 6 }),
    )
    .chain(([k, multiClass, cols]) => {
      const together = multiClass === 'crammer-singer'
      const machines = k === 2 && !together ? 1 : k
      const logistic: PairProbability = {
        method: 'sigmoid',
        a: new Float64Array(machines).fill(-1),
        b: new Float64Array(machines),
      }
      return fc
        .record({
          classes: liblinear ? numberClasses(k) : someClasses(k),
          labelOrder: labelOrder(k),
          // A bias of -0 is none.
          biases: doubles(machines).map((values) => values.map((value) => value + 0)),
          coef: doubles(machines * cols),
          probability: liblinear
            ? fc.constantFrom(undefined, together ? undefined : logistic)
            : maybe(probabilities(machines)),
          around: surroundings(cols, together ? 1 : machines, liblinear),
        })
        .map(
          ({ around, ...parts }) =>
            new LinearSvcModel({
              ...parts,
              ...around,
              features: cols,
              multiClass,
              ...(liblinear && {
                liblinearSolver: together ? 'MCSVM_CS' : parts.probability ? 'L1R_LR' : 'L2R_L1LOSS_SVC_DUAL',
              }),
            }),
        )
    })
}

/** Linear regressions and one-class models. */
export function someSingleLinear(liblinear: boolean): fc.Arbitrary<LinearSvrModel | LinearOneClassModel> {
  return fc.integer({ min: 1, max: 6 }).chain((cols) =>
    fc
      .record({
        bias: anyDouble,
        coef: doubles(cols),
        around: surroundings(cols, 1, liblinear),
        one: fc.boolean(),
      })
      .map(({ around, one, bias, ...parts }) => {
        const whole = { ...parts, ...around, bias: one ? bias : bias + 0, features: cols }
        return one
          ? new LinearOneClassModel({ ...whole, liblinearSolver: 'ONECLASS_SVM' })
          : new LinearSvrModel({ ...whole, liblinearSolver: 'L2R_L2LOSS_SVR' })
      }),
  )
}

/** The data of a model, without its kernel's functions: what a file must bring back. */
export function dataOf(model: Model): object {
  const { kernel, ...rest } = model
  return { ...rest, kernel: kernel.spec }
}
