import { describe, expect, it } from 'vitest'
import { ParameterError } from '../../src/base/errors.ts'
import { countUp } from '../../src/base/lists.ts'
import { Random } from '../../src/base/random.ts'
import type { Certificate, Evidence } from '../../src/certify/certificate.ts'
import { toDense } from '../../src/data/matrix/matrix.ts'
import { applyScaler } from '../../src/data/scaling/scaler.ts'
import { type Dataset, makeDataset, makeSampleSet, selectSamples } from '../../src/data/table/dataset.ts'
import { LinearSVC } from '../../src/estimators/linear-svc.ts'
import { LinearSVR } from '../../src/estimators/linear-svr.ts'
import { NuSVR } from '../../src/estimators/nu-svr.ts'
import { SVC } from '../../src/estimators/svc.ts'
import { SVR } from '../../src/estimators/svr.ts'
import { custom } from '../../src/kernels/user-kernels.ts'
import { formatJsonModel } from '../../src/models/files/format-json-model.ts'
import { formatLiblinearModel } from '../../src/models/files/format-liblinear-model.ts'
import { formatLibsvmModel } from '../../src/models/files/format-libsvm-model.ts'
import { parseModel } from '../../src/models/files/parse-model.ts'
import type { Model } from '../../src/models/model.ts'
import { fitCalibrated } from '../../src/selection/calibrate/calibrate.ts'
import { verify, verifySync } from '../../src/verify/verify.ts'
import { kernelModels, line, linearModels, named, three, two, weighted } from './some-trained.ts'

// biome-ignore lint/suspicious/noExplicitAny: model files are edited here, field by field.
type Edited = any

function edited(model: Model, change: (document: Edited) => void): Model {
  const document = JSON.parse(formatJsonModel(model))
  change(document)
  return parseModel(JSON.stringify(document))
}

/** What a file of another format does not say. */
function settings(model: Model, names: readonly string[]) {
  return Object.fromEntries(Object.entries(model.training ?? {}).filter(([name]) => names.includes(name)))
}

const all = [...kernelModels, ...linearModels]

describe('a model from its JSON file', () => {
  it.each(all)('$name: every claim holds', async ({ model, data }) => {
    const result = await verify(parseModel(formatJsonModel(model)), data)
    expect(result).toMatchObject({ holds: true, remarks: [] })
    expect(result.parts).toHaveLength(model.certificates?.length as number)
    for (const { claims } of result.parts) {
      expect(claims.length).toBeGreaterThanOrEqual(6)
      expect(claims.map(({ verdict }) => verdict)).toEqual(claims.map(() => 'holds'))
    }
  })

  it.each(all)('$name: the same synchronously', async ({ model, data }) => {
    expect(verifySync(model, data)).toEqual(await verify(model, data))
  })
})

/** An error that a certificate must not have: its own error bar, that of recomputing, and something more. */
function leastError(certificate: Certificate, field: 'primal' | 'dual' | 'gap' | 'maxViolation' | 'width') {
  const { primalError, dualError, gapError, violationError } = certificate.evidence as Evidence
  const bars = { primal: primalError, dual: dualError, gap: gapError, maxViolation: violationError, width: 0 }
  return 3 * bars[field] + 1e-12 * Math.abs(certificate.dual)
}

describe('an edited certificate is caught', () => {
  const values = ['primal', 'dual', 'gap', 'maxViolation', 'width'] as const
  it.each(all)('$name: any value off by 1% or three error bars, any count by 1', ({ model, data }) => {
    model.certificates?.forEach((certificate, p) => {
      for (const field of values) {
        const value = certificate[field]
        if (value === undefined || value === 0 || !Number.isFinite(value)) continue
        const step = Math.max(0.01 * Math.abs(value), leastError(certificate, field))
        for (const sign of [-1, 1]) {
          const changed = edited(model, ({ certificates }) => {
            certificates[p][field] = value + sign * step
          })
          expect([field, sign, verifySync(changed, data).holds]).toEqual([field, sign, false])
        }
      }
      for (const field of ['supportVectors', 'boundedSupportVectors'] as const) {
        const changed = edited(model, ({ certificates }) => {
          certificates[p][field] += 1
        })
        expect([field, verifySync(changed, data).holds]).toEqual([field, false])
      }
    })
  })

  it('"converged" that is not', () => {
    const { model, data } = kernelModels.find(({ name }) => name === 'svc unsolved') as (typeof all)[0]
    expect(model.certificate?.stopReason).toBe('iteration-limit')
    const changed = edited(model, ({ certificates }) => {
      certificates[0].stopReason = 'converged'
    })
    const { holds, verdict } = verifySync(changed, data)
    expect(holds).toBe(false)
    expect(verdict).toMatch(
      /^the certificate does not hold: a violation of [\d.]+ where 0.001 is what "converged" means$/,
    )
  })

  it('a tolerance that the violation does not keep', () => {
    const { model, data } = all[0]
    const changed = edited(model, ({ certificates }) => {
      certificates[0].tol = certificates[0].maxViolation / 2
    })
    expect(verifySync(changed, data).holds).toBe(false)
  })

  it('error bars so wide that they claim nothing: what they cover is not checked, and said so', () => {
    const { model, data } = all[0]
    for (const [field, bar] of [
      ['primal', 'primalError'],
      ['dual', 'dualError'],
      ['gap', 'gapError'],
      ['maxViolation', 'violationError'],
    ] as const) {
      const changed = edited(model, ({ certificates: [certificate] }) => {
        certificate[field] = 1.1 * certificate[field] + 1e-5
        // Where the three values must fit each other, two bars hide it.
        for (const name of [bar, 'gapError']) certificate.evidence[name] = 1e9
        certificate.stopReason = 'stalled'
      })
      const { verdict, parts } = verifySync(changed, data)
      expect(parts[0].claims.find((claim) => claim.field === field)).toMatchObject({
        verdict: 'unchecked',
        reason: 'the claim is weak: its error bar is wide',
      })
      expect(verdict).toMatch(/^what can be checked of the certificate holds: /)
    }
  })

  it('"converged" where the error bar reaches beyond the tolerance', () => {
    const { model, data } = all[0]
    const changed = edited(model, ({ certificates: [certificate] }) => {
      certificate.evidence.violationError = certificate.tol - certificate.maxViolation + 1e-9
    })
    expect(verifySync(changed, data).verdict).toMatch(
      /^the certificate does not hold: a violation of 0.001\d* where 0.001 is what "converged" means$/,
    )
  })

  it('values off by a few error bars', () => {
    for (const { name, model, data } of all) {
      model.certificates?.forEach((certificate, p) => {
        const { evidence } = certificate
        if (!evidence || !Number.isFinite(certificate.primal)) return
        const changed = edited(model, ({ certificates }) => {
          certificates[p].primal += 20 * evidence.primalError + 1e-9 * Math.abs(certificate.primal)
        })
        expect([name, verifySync(changed, data).holds]).toEqual([name, false])
      })
    }
  })

  it('a negative error bar is refused', () => {
    expect(() =>
      edited(all[0].model, ({ certificates }) => {
        certificates[0].evidence.gapError = -1
      }),
    ).toThrow(/gapError: must not be negative/)
  })

  it('an optimum that is not proven: the kernel is not positive semi-definite', () => {
    const { model, data } = all.find(({ name }) => name === 'svc sigmoid') as (typeof all)[0]
    expect(model.certificate?.proves).toBe('stationary-point')
    expect(verifySync(model, data)).toMatchObject({
      holds: true,
      verdict:
        'the certificate holds: the kernel is not positive semi-definite, so nothing is known about the optimum',
      parts: [{ proves: 'stationary-point' }],
    })
    const changed = edited(model, ({ certificates }) => {
      certificates[0].proves = 'optimum'
    })
    expect(verifySync(changed, data)).toMatchObject({
      holds: false,
      verdict:
        'the certificate does not hold: it claims to prove an optimum, but the kernel is not positive semi-definite, so the gap does not bound the optimum',
    })
    expect(verifySync(model, data, { maxGap: 0.5 }).holds).toBe(false)
  })

  it('says which number, what the data say, and what error bars allow', () => {
    const { model, data } = all[0]
    const changed = edited(model, ({ certificates }) => {
      certificates[0].primal = 12.5
    })
    expect(verifySync(changed, data).verdict).toMatch(
      /^the certificate does not hold: the primal value is claimed to be 12.5, but the data say [\d.]+, and error bars allow [\d.e-]+$/,
    )
  })
})

describe('an edited model is caught', () => {
  it.each(all)('$name: a coefficient, weight or dual variable off by 1%', ({ model, data }) => {
    const random = new Random(5)
    for (let trial = 0; trial < 12; trial++) {
      const changed = edited(model, ({ machines }) => {
        const machine = machines[random.int(machines.length)]
        const lists = ['dualCoef', 'coef', 'dual'].filter((name) => machine[name])
        const numbers = machine[lists[random.int(lists.length)]]
        const places = Object.keys(numbers).filter((place) => Number(numbers[place]) !== 0)
        const place = places[random.int(places.length)]
        numbers[place] *= trial % 2 === 0 ? 1.01 : 0.99
      })
      expect(verifySync(changed, data).holds).toBe(false)
    }
  })

  it.each(all)('$name: a bias off by 0.01', ({ model, data }) => {
    const changed = edited(model, ({ machines }) => {
      machines[0].bias = Number(machines[0].bias) + 0.01
    })
    expect(verifySync(changed, data).holds).toBe(false)
  })

  it('another C, nu, epsilon or class weight', () => {
    for (const { name, model, data } of all) {
      for (const field of ['C', 'nu', 'epsilon'] as const) {
        const value = model.training?.[field]
        if (!value || !Number.isFinite(value) || name === 'svc hard') continue
        const changed = edited(model, ({ training }) => {
          training[field] *= 1.02
        })
        expect([name, field, verifySync(changed, data).holds]).toEqual([name, field, false])
      }
    }
  })
})

describe('models in other formats', () => {
  const known = ['C', 'nu', 'epsilon', 'classWeight', 'bias']
  const ofLibsvm = kernelModels.filter(({ model, name }) => {
    return !model.scaler && !['svc named', 'svc unsolved', 'svc hard'].includes(name)
  })
  it.each(ofLibsvm)("$name as LIBSVM's text", async ({ model, data }) => {
    const result = await verify(parseModel(formatLibsvmModel(model)), data, settings(model, known))
    expect(result).toMatchObject({ holds: true })
    result.parts.forEach((part, p) => {
      const claimed = model.certificates?.[p]
      expect(part.dual).toBeCloseTo(claimed?.dual as number, 6)
      expect(part.supportVectors).toBe(claimed?.supportVectors)
    })
  })

  it.each(linearModels.filter(({ model }) => !model.scaler))(
    "$name as LIBLINEAR's text",
    ({ model, data }) => {
      const given = settings(model, ['C', 'epsilon', 'classWeight'])
      const read = parseModel(formatLiblinearModel(model))
      const result = verifySync(read, data, given)
      expect(result).toMatchObject({ holds: true })
      result.parts.forEach((part, p) => {
        const claimed = model.certificates?.[p]
        expect(part.primal).toBeCloseTo(claimed?.primal as number, 8)
        // The bound that was found is valid, and close.
        expect(-part.dual).toBeLessThanOrEqual((claimed?.primal as number) * (1 + 1e-12))
        expect(part.gap).toBeLessThanOrEqual(2 * (claimed?.gap as number) + 1e-6)
      })
    },
  )

  it('a coefficient that is off by 1% is caught there, too', () => {
    const { model, data } = kernelModels[2]
    const text = formatLibsvmModel(model)
    const lines = text.split('\n')
    const first = lines.indexOf('SV') + 1
    for (const line of [first, first + 3, lines.length - 2]) {
      const [coefficient, ...vector] = lines[line].split(' ')
      const changed = lines.with(line, [1.01 * Number(coefficient), ...vector].join(' '))
      const result = verifySync(parseModel(changed.join('\n')), data, { C: 2 })
      expect(result.holds).toBe(false)
      expect(result.verdict).toMatch(
        /^the model is not a solution of this problem: the (multiplier|coefficients) /,
      )
    }
  })

  it('another C is caught: multipliers are not at their bound, or beyond it', () => {
    const { model, data } = kernelModels[2]
    const read = parseModel(formatLibsvmModel(model))
    expect(verifySync(read, data, { C: 3 }).verdict).toMatch(
      /a violation of [\d.]+ where 0.001 is what is accepted/,
    )
    expect(verifySync(read, data, { C: 1 }).verdict).toMatch(
      /the multiplier of sample \d+ is -?2, but its bound is 1/,
    )
  })

  it('asks for the settings that a file does not have, and for no others', () => {
    const { model, data } = kernelModels[2]
    const read = parseModel(formatLibsvmModel(model))
    expect(() => verifySync(read, data)).toThrow(
      new ParameterError('verify', 'C', 'is required: the model does not contain it'),
    )
    expect(() => verifySync(model, data, { C: 3 })).toThrow(
      'verify: C contradicts the model, which was trained with 2',
    )
    expect(verifySync(model, data, { C: 2 }).holds).toBe(true)
    expect(() => verifySync(model, data, { cost: 2 } as never)).toThrow(/option must be one of/)
  })

  it('accepts a violation of 0.001 of a model without certificates, or another one', () => {
    const model = new SVC({ C: 2, tol: 0.1 }).fitSync(two)
    const read = parseModel(formatLibsvmModel(model))
    expect(verifySync(read, two, { C: 2 }).holds).toBe(false)
    expect(verifySync(read, two, { C: 2, tol: 0.1 }).holds).toBe(true)
  })

  it('holds any model to a gap', () => {
    const { model, data } = kernelModels[2]
    expect(verifySync(model, data, { maxGap: 1e-2 }).holds).toBe(true)
    const { holds, verdict } = verifySync(model, data, { maxGap: 1e-9 })
    expect(holds).toBe(false)
    expect(verdict).toMatch(/^the model is not shown to solve this problem: it may be /)
  })
})

describe('the data of training', () => {
  const { model } = kernelModels.find(({ name }) => name === 'svc of three') as (typeof all)[0]

  it('may come in another order', () => {
    const order = new Random(3).shuffle(countUp(90))
    const result = verifySync(model, selectSamples(three, order))
    expect(result.holds).toBe(true)
    expect(result.remarks).toEqual(['support vectors were matched with the data by their values'])
  })

  it('may come in other storage', () => {
    const dense = { ...three, samples: toDense(three.samples) }
    expect(verifySync(model, dense).holds).toBe(true)
  })

  it('must be all there', () => {
    const { holds, verdict } = verifySync(model, selectSamples(three, countUp(89)))
    expect([holds, verdict]).toEqual([
      false,
      'the model was not trained on these data: it was trained on 90 samples, but these are 89',
    ])
  })

  it('must have its support vectors', () => {
    const samples = toDense(three.samples)
    const other = { ...three, samples: { ...samples, values: samples.values.map((value) => value + 0.125) } }
    const { holds, verdict } = verifySync(model, other)
    expect(holds).toBe(false)
    expect(verdict).toMatch(
      /^the model was not trained on these data: support vector 1 of the model \(3:\S+ 5:\S+\) is not among them$/,
    )
  })

  it('must have its labels', () => {
    const labels = (three.labels as Float64Array).slice()
    labels[0] = 2
    const { holds, verdict } = verifySync(model, { ...three, labels })
    expect(holds).toBe(false)
    expect(verdict).toMatch(/is sample 1, but with another label$/)
    const shifted = verifySync(model, { ...three, labels: labels.map((label) => label + 1) })
    expect(shifted.verdict).toBe(
      'the model was not trained on these data: some have the label 4, but the classes of the model are 1, 2, 3',
    )
  })

  it('must have the label of a sample that is no support vector', () => {
    const { model: svc, data } = kernelModels[2]
    const support = new Set((svc as { supportIndices?: Uint32Array }).supportIndices)
    const idle = Array.from(data.labels.keys()).find((i) => !support.has(i)) as number
    const labels = (data.labels as Float64Array).slice()
    labels[idle] *= -1
    expect(verifySync(svc, { ...data, labels }).verdict).toMatch(/the primal value is claimed to be/)
  })

  it('must be as they were before scaling, and the verdict says so', () => {
    const { model: scaled, data } = kernelModels.find(({ name }) => name === 'svc scaled') as (typeof all)[0]
    const samples = applyScaler(scaled.scaler as never, data.samples)
    expect(verifySync(scaled, { ...data, samples }).verdict).toMatch(
      /is not among them; they are already scaled: the model contains its scaler and needs the unscaled data$/,
    )
    const onScaled = new SVC({ C: 2 }).fitSync({ ...data, samples })
    expect(verifySync(onScaled, data).verdict).toMatch(
      /is not among them; it was trained on these data scaled to unit variance, but contains no scaler: scale them first$/,
    )
  })

  it('must have their weights', () => {
    const { model: heavy } = kernelModels.find(({ name }) => name === 'svc weighted') as (typeof all)[0]
    expect(verifySync(heavy, two).verdict).toBe(
      'the model was trained with sample weights, but these data have none',
    )
    expect(verifySync(kernelModels[2].model, weighted).verdict).toBe(
      'the model was trained without sample weights, but these data have some',
    )
    const other = { ...weighted, weights: weighted.weights.map((weight) => 1.1 * weight) }
    expect(verifySync(heavy, other).holds).toBe(false)
  })

  it('must have as many features', () => {
    const narrow = makeDataset(
      Array.from({ length: 90 }, () => [1, 2]),
      Array.from(three.labels as Float64Array),
    )
    expect(verifySync(model, narrow).verdict).toMatch(/it has 5 features, but these have 2$/)
  })

  it('must come in their order for a model that keeps w', () => {
    const { model: weights, data } = linearModels[0]
    const { holds, verdict } = verifySync(weights, selectSamples(data, new Random(3).shuffle(countUp(80))))
    expect(holds).toBe(false)
    expect(verdict).toMatch(
      /^the model is not a solution of this problem: the dual variables of sample 3 are outside/,
    )
  })

  it('must be data', () => {
    expect(() => verifySync(model, {} as Dataset)).toThrow(ParameterError)
    expect(() => verifySync(model, { samples: three.samples } as Dataset)).toThrow(ParameterError)
  })
})

describe('equal rows', () => {
  const rows = [[0], [0], [0], [1], [1], [1], [0.5], [0.5], [0.4]]
  const labels = [-1, -1, 1, 1, 1, -1, 1, -1, 1]

  it('share the multipliers that a file without numbers has for them', () => {
    const data = makeDataset(rows, labels)
    const model = new SVC({ C: 0.7 }).fitSync(data)
    const result = verifySync(parseModel(formatLibsvmModel(model)), data, { C: 0.7 })
    expect(result).toMatchObject({ holds: true })
    expect(result.parts[0].dual).toBeCloseTo(model.certificate.dual, 10)
    expect(result.parts[0].maxViolation).toBeCloseTo(model.certificate.maxViolation, 10)
  })

  it('of other weights, or other targets, get the multipliers that fit them', () => {
    const weights = [0.2, 3, 1, 0.4, 2, 1, 1, 1, 1]
    const data = makeDataset(rows, labels, { weights })
    const model = new SVC({ C: 0.7 }).fitSync(data)
    const read = parseModel(formatLibsvmModel(model))
    expect(verifySync(read, data, { C: 0.7 })).toMatchObject({ holds: true })
    const targets = makeDataset(rows, [1, 2, 3, 4, 7, 9, 2, 1, 0])
    const svr = new SVR({ C: 0.7, epsilon: 0.3 }).fitSync(targets)
    const result = verifySync(parseModel(formatLibsvmModel(svr)), targets, { C: 0.7, epsilon: 0.3 })
    expect(result).toMatchObject({ holds: true })
    expect(result.parts[0].dual).toBeCloseTo(svr.certificate.dual, 10)
  })

  it('are not as many as the model says', () => {
    const data = makeDataset(rows, labels)
    const text = formatLibsvmModel(new SVC({ C: 0.7 }).fitSync(data))
    const one = makeDataset(rows.with(0, [2]), labels)
    expect(verifySync(parseModel(text), one, { C: 0.7 }).verdict).toMatch(
      / occurs less often than in the model$/,
    )
    const fewer = makeDataset(rows.with(0, [2]).with(1, [2]), labels)
    expect(verifySync(parseModel(text), fewer, { C: 0.7 }).verdict).toMatch(
      / \(all zeros\) is sample 3, but with another label$/,
    )
  })
})

describe('models of other kinds', () => {
  it('calibrated', async () => {
    for (const [estimator, data] of [
      [new SVC({ C: 2 }), three],
      [new SVR({ C: 2 }), line],
    ] as const) {
      const model = await fitCalibrated(estimator as SVC, data)
      expect(verifySync(parseModel(formatJsonModel(model)), data)).toMatchObject({ holds: true })
    }
  })

  it('of texts', () => {
    const words = ['aa', 'ab', 'ba', 'bb', 'abab', 'baba', 'aab', 'bba']
    const share = (a: string, b: string): number => [...a].filter((letter) => b.includes(letter)).length + 1
    const same = custom((a: string, b: string) => share(a, b) * share(b, a) * (a[0] === b[0] ? 2 : 1), {
      name: 'letters',
    })
    const data = makeSampleSet(
      words,
      words.map((word) => (word[0] === 'a' ? 1 : -1)),
    )
    const model = new SVC<string>({ kernel: same as never, C: 2 }).fitSync(data as never) as Model
    expect(verifySync(model, data)).toMatchObject({ holds: true })
    const [support] = (model as { supportVectors?: readonly string[] }).supportVectors ?? []
    const without = words.map((word) => (word === support ? 'abba' : word))
    const other = makeSampleSet(without, Array.from(data.labels as Float64Array))
    const shuffled = makeSampleSet(words.toReversed(), Array.from(data.labels as Float64Array).reverse())
    expect(verifySync(model, shuffled)).toMatchObject({ holds: true })
    expect(verifySync(model, other).verdict).toBe(
      'the model was not trained on these data: support vector 1 of the model is not among them',
    )
  })

  it('of a primal method: value and bound are checked, the dual point that is not kept is not', async () => {
    for (const solver of ['pegasos', 'subgradient'] as const) {
      const options = { C: 0.5, loss: 'hinge', solver, maxIter: 300 } as const
      const complete = new LinearSVC(options).fitSync(three)
      expect(complete.training?.fromDual).toBe(false)
      for (const { claims } of verifySync(parseModel(formatJsonModel(complete)), three).parts) {
        expect(claims.map(({ verdict }) => verdict)).toEqual(claims.map(() => 'holds'))
      }
      const model = new LinearSVC({ ...options, keepDual: false }).fitSync(three)
      const result = await verify(parseModel(formatJsonModel(model)), three)
      expect(result).toMatchObject({ holds: true })
      for (const { claims } of result.parts) {
        const verdicts = Object.fromEntries(claims.map(({ field, verdict }) => [field, verdict]))
        expect(verdicts).toMatchObject({
          primal: 'holds',
          dual: 'holds',
          gap: 'holds',
          maxViolation: 'unchecked',
        })
      }
      for (const field of ['primal', 'gap'] as const) {
        const changed = edited(model, ({ certificates }) => {
          certificates[1][field] *= 1.01
        })
        expect(verifySync(changed, three).holds).toBe(false)
      }
      const bolder = edited(model, ({ certificates }) => {
        certificates[1].dual *= 2
        certificates[1].gap = certificates[1].primal + certificates[1].dual
      })
      expect(verifySync(bolder, three).verdict).toMatch(
        /the dual value is claimed to be .* but the optimum is at most/,
      )
    }
    const kernelised = new SVC({ C: 2, solver: 'pegasos' }).fitSync(three)
    expect(verifySync(kernelised, three)).toMatchObject({ holds: true })
  })

  it('that a limit ended: the best function so far, and the latest dual point', () => {
    for (const [estimator, data] of [
      [new LinearSVC({ C: 1000, maxIter: 3, loss: 'hinge' }), three],
      [new LinearSVC({ C: 1000, maxIter: 3, multiClass: 'crammer-singer' }), three],
      [new LinearSVR({ C: 1000, maxIter: 3 }), line],
      [new SVC({ C: 1000, maxIter: 3, solver: 'sdca' }), two],
    ] as const) {
      const model = (estimator as SVC).fitSync(data) as Model
      expect(verifySync(parseModel(formatJsonModel(model)), data)).toMatchObject({ holds: true })
    }
  })

  it('of ν-SVR whose coefficients do not tell the dual point', () => {
    const model = new NuSVR({ C: 3, nu: 0.95 }).fitSync(line)
    expect(verifySync(model, line)).toMatchObject({ holds: true })
  })

  it('without dual variables, because there are many or nobody wants them', () => {
    const model = new LinearSVC({ keepDual: false }).fitSync(named)
    expect(model.dual).toBeUndefined()
    const { holds, remarks, verdict } = verifySync(model, named)
    expect(holds).toBe(true)
    expect(verdict).toMatch(/^what can be checked of the certificate holds: /)
    expect(remarks[0]).toMatch(/the model contains w but no dual variables/)
    expect(() => new LinearSVC({ keepDual: 1 as never })).toThrow(
      'LinearSVC: keepDual must be true or false, got 1',
    )
  })
})
