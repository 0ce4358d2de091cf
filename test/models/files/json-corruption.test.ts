/** JSON models of every type, each of their places broken in turn: the error names the place. */
import { describe, expect, test } from 'vitest'
import { FormatError } from '../../../src/base/errors.ts'
import type { Certificate } from '../../../src/certify/certificate.ts'
import type { SparseMatrix } from '../../../src/data/matrix/matrix.ts'
import { linear } from '../../../src/kernels/linear.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { formatJsonModel } from '../../../src/models/files/format-json-model.ts'
import { parseJsonModel } from '../../../src/models/files/parse-json-model.ts'
import { LinearOneClassModel } from '../../../src/models/linear-one-class-model.ts'
import { LinearSvcModel } from '../../../src/models/linear-svc-model.ts'
import { LinearSvrModel } from '../../../src/models/linear-svr-model.ts'
import type { Model } from '../../../src/models/model.ts'
import { OneClassModel } from '../../../src/models/one-class-model.ts'
import { SvcModel } from '../../../src/models/svc-model.ts'
import { SvrModel } from '../../../src/models/svr-model.ts'

const certificate: Certificate = {
  ...{ primal: 1, dual: -1, gap: 0, maxViolation: 0, supportVectors: 2, boundedSupportVectors: 0 },
  ...{ stopReason: 'converged', iterations: 3, seconds: 0.5, solver: 'smo', tol: 1e-3, precision: 'f32' },
}
const around = {
  features: 2,
  featureNames: ['a', 'b'],
  scaler: { kind: 'standard', mean: [0, 1], scale: [1, 2] },
} as const
const supportVectors = { kind: 'dense', rows: 2, cols: 2, values: Float64Array.of(1, 2, 3, 4) } as const
const sparseVectors: SparseMatrix = {
  kind: 'sparse',
  rows: 3,
  cols: 2,
  indptr: Uint32Array.of(0, 1, 1, 3),
  indices: Uint32Array.of(1, 0, 1),
  values: Float64Array.of(1, 2, 3),
}
const single = {
  ...around,
  kernel: rbf({ gamma: 0.5 }),
  supportVectors,
  supportIndices: Uint32Array.of(4, 7),
  dualCoef: Float64Array.of(1, -1),
  bias: 0.5,
  certificates: [certificate],
}

const models: readonly Model[] = [
  new SvcModel<unknown>({
    ...around,
    type: 'svc',
    classes: ['p', 'q', 'r'],
    labelOrder: [2, 0, 1],
    kernel: linear(),
    supportVectors: sparseVectors,
    supportCounts: Uint32Array.of(1, 0, 2),
    supportIndices: Uint32Array.of(1, 2, 3),
    dualCoef: Float64Array.of(1, 2, 3, 4, 5, 6),
    biases: Float64Array.of(1, 2, 3),
    decisionFunctionShape: 'ovo',
    breakTies: true,
    probability: { method: 'sigmoid', a: Float64Array.of(-1, -2, -3), b: Float64Array.of(1, 2, 3) },
    certificates: [certificate, certificate, certificate],
  }),
  new SvcModel<unknown>({
    ...single,
    type: 'nu-svc',
    classes: [3, 7],
    biases: Float64Array.of(1),
    probability: { method: 'isotonic', x: [Float64Array.of(0, 1)], y: [Float64Array.of(0.25, 0.5)] },
  }),
  new SvrModel<unknown>({ ...single, probability: { method: 'laplace', sigma: 0.5 } }),
  new OneClassModel<unknown>({
    ...single,
    probability: { method: 'density', marks: Float64Array.of(-5, -4, -3, -2, -1, 1, 2, 3, 4, 5) },
  }),
  new LinearSvcModel({
    ...around,
    classes: [1, 2, 3],
    coef: Float64Array.of(1, 2, 3, 4, 5, 6),
    biases: Float64Array.of(1, 2, 3),
    multiClass: 'crammer-singer',
    liblinearSolver: 'MCSVM_CS',
    certificates: [certificate],
  }),
  new LinearSvrModel({ ...around, coef: Float64Array.of(1, 2), bias: 1, liblinearSolver: 'L2R_L2LOSS_SVR' }),
  new LinearOneClassModel({ ...around, coef: Float64Array.of(1, 2), bias: 1, certificates: [certificate] }),
]

type Path = readonly (string | number)[]

/** Every place in a document. */
function* places(value: unknown, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    yield* places(part, [...path, Array.isArray(value) ? Number(key) : key])
  }
}

/** The name an error gives to a place. */
function named(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .slice(1)
}

const optional =
  /^(featureNames|scaler|labelOrder|decisionFunctionShape|breakTies|liblinearSolver|support\.indices|certificates|certificates\[\d\]\.(precision|noMargin))$/

describe.each(models.map((model) => [model.type, JSON.parse(formatJsonModel(model))] as const))(
  '%s',
  (_, whole) => {
    const all = [...places(whole)]
    const changed = (
      path: Path,
      change: (holder: Record<string | number, unknown>, key: string | number) => void,
    ) => {
      const copy = structuredClone(whole)
      change(
        path.slice(0, -1).reduce((part, key) => part[key], copy),
        path[path.length - 1],
      )
      try {
        parseJsonModel(JSON.stringify(copy))
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError)
        return (error as Error).message.slice('<input>: '.length)
      }
      return 'accepted'
    }

    test('is accepted as it is', () => {
      expect(JSON.parse(formatJsonModel(parseJsonModel(JSON.stringify(whole))))).toEqual(whole)
    })

    test.each([null, {}, 'x', -1.5])('%o in any place is refused and named', (bad) => {
      for (const path of all) {
        const old = path.reduce((part, key) => part[key], whole)
        // A text where a text may be, and a negative fraction where a number may be, are not defects.
        if (typeof old === typeof bad && bad !== null && typeof old !== 'object') continue
        if (path[0] === 'classes' && path.length > 1 && typeof bad !== 'object') continue
        const message = changed(path, (holder, key) => {
          holder[key] = bad
        })
        const name = named(path)
        // A union's member is known by its kind or method, a machine's by what it lacks.
        expect(message, name).toMatch(new RegExp(`^${name.replace(/[[\].]/g, '\\$&')}[.:[]`))
      }
    })

    test('every field is needed, but for the optional ones', () => {
      for (const path of all) {
        if (typeof path[path.length - 1] === 'number') continue
        const name = named(path)
        const message = changed(path, (holder, key) => {
          delete holder[key]
        })
        if (optional.test(name) || (name === 'machines[0].probability' && whole.machines.length === 1)) {
          expect(message, name).toBe('accepted')
        } else expect(message, name).not.toBe('accepted')
      }
    })

    test('an entry too many or too few is noticed', () => {
      for (const path of all) {
        const value = path.reduce((part, key) => part[key], whole)
        if (!Array.isArray(value) || value.length === 0) continue
        const longer = changed(path, (holder, key) => {
          holder[key] = [...value, value[value.length - 1]]
        })
        const shorter = changed(path, (holder, key) => {
          holder[key] = value.slice(0, -1)
        })
        const name = named(path)
        // Straight pieces may be any number, as long as x and y are the same number of.
        expect(longer, name).not.toBe('accepted')
        expect(shorter, name).not.toBe('accepted')
      }
    })
  },
)
