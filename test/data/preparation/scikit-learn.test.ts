/** What scripts/golden-tables.py computed with scikit-learn's ColumnTransformer, SVC and SVR. */
import { describe, expect, it } from 'vitest'
import { toDense } from '../../../src/data/matrix/matrix.ts'
import { applyPreparation } from '../../../src/data/preparation/column-preparation.ts'
import { applyScaler } from '../../../src/data/scaling/scaler.ts'
import { makeTable } from '../../../src/data/table/make-table.ts'
import type { ColumnSettings } from '../../../src/data/table/table.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { SVR } from '../../../src/estimators/svr.ts'
import { rbf } from '../../../src/kernels/rbf.ts'
import { parseModel } from '../../../src/models/files/parse-model.ts'
import { verifySync } from '../../../src/verify/verify.ts'
import golden from '../../golden/tables.json' with { type: 'json' }

const recordsOf = (rows: readonly (readonly unknown[])[]) =>
  rows.map((row) => Object.fromEntries(golden.names.map((name, k) => [name, row[k]])))

const settings: Readonly<Record<string, ColumnSettings>> = {
  'tf-idf': { ngrams: [1, 2] },
  'tf-idf, 20 terms': { maxFeatures: 20 },
  hashing: { vectorizer: 'hashing', maxFeatures: 64 },
  char: { analyzer: 'char', ngrams: [2, 3] },
}

const choices = (text: ColumnSettings) =>
  ({
    city: 'category',
    size: { kind: 'ordinal', order: ['S', 'M', 'L'] },
    body: { kind: 'text', ...text },
  }) as const

const tight = { scaler: 'standard', tol: 1e-10 } as const

describe('side by side with scikit-learn', () => {
  it.each(Object.keys(golden.vectorizers))('%s: features and decision values', (name) => {
    const known = golden.vectorizers[name as keyof typeof golden.vectorizers]
    const train = makeTable(recordsOf(golden.train), { label: 'left', columns: choices(settings[name]) })
    const model = new SVC({ C: 2, kernel: rbf({ gamma: 0.2 }), ...tight }).fitSync(train)
    const { preparation, scaler } = model
    if (!preparation || !scaler) throw new Error('the model has no preparation')
    const unseen = recordsOf(golden.test)
    const features = toDense(applyScaler(scaler, applyPreparation(preparation, unseen)))
    known.features.forEach((row, i) => {
      expect(row.length).toBe(features.cols)
      row.forEach((value, j) => {
        expect(features.values[i * features.cols + j]).toBeCloseTo(value, 12)
      })
    })
    const decisions = model.decisionFunction(unseen)
    known.decisions.forEach((value, i) => {
      expect(Math.abs(decisions[i] - value)).toBeLessThan(1e-6)
    })
    // The same model from its file, on columns in another order, with one that it does not know.
    const again = parseModel(JSON.stringify(model))
    const turned = unseen.map(({ age, left: _, ...others }) => ({ extra: 1, ...others, age }))
    expect(again.decisionFunction(turned)).toEqual(decisions)
  })

  it('scaled targets: predictions in the unit of the data, and a certificate that can be verified', () => {
    const { left: _, ...columns } = { ...choices({}), left: 'ignored' } as const
    const records = recordsOf(golden.train).map(({ left: __, ...others }) => others)
    const train = makeTable(records, { label: golden.targets, columns })
    const model = new SVR({
      ...{ C: 1, epsilon: 0.05, kernel: rbf({ gamma: 0.1 }), targetScaling: true },
      ...tight,
    }).fitSync(train)
    const predicted = model.predict(recordsOf(golden.test))
    golden.scaledTargets.forEach((value, i) => {
      expect(Math.abs(predicted[i] - value) / 1000).toBeLessThan(1e-6)
    })
    expect(verifySync(model, train).holds).toBe(true)
  })
})
