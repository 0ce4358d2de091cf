import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { FormatError } from '../../../src/base/errors.ts'
import { parseModel } from '../../../src/models/files/parse-model.ts'

const folder = fileURLToPath(new URL('../../invalid/models/', import.meta.url))

/** Every file has one defect: its name, and what follows it in the message. */
const defects: readonly (readonly [file: string, message: string])[] = [
  ['bias-infinite.json', ': machines[0].bias: must be finite'],
  ['bias-missing.json', ': machines[0].bias: is missing'],
  ['bias-text.json', ': machines[0].bias: must be a number, got "0.5"'],
  ['certificate-gap-missing.json', ': certificates[0].gap: is missing'],
  ['certificate-iterations-negative.json', ': certificates[0].iterations: must be a number >= 0, got -1'],
  [
    'certificate-stop-reason.json',
    ': certificates[0].stopReason: must be one of "converged", "stalled", "unbounded", "iteration-limit", "time-limit", "aborted", got "done"',
  ],
  ['classes-missing.json', ': classes: is missing'],
  ['classes-mixed.json', ': classes: must be different labels of one type'],
  ['classes-null.json', ': classes[0]: must be a number or a string'],
  ['classes-same.json', ': classes: must be different labels of one type'],
  ['classes-three.json', ': support.counts: must be 3 numbers, one per class, got 2'],
  ['coef-nested.json', ': machines[0].coef[0]: must be a finite number, got an array of length 1'],
  ['coef-too-few.json', ': machines[0].coef: must be 2 numbers, one per feature, got 1'],
  ['coef0-infinite.model', ':4: coef0 must be a finite number, got "inf"'],
  ['coef0-missing.model', ': coef0 is missing from the header'],
  [
    'coefficient-missing.model',
    ':13:1: support vector 1: the coefficient must be a finite number, got "1:0.25"',
  ],
  ['coefficient-text.model', ':13:1: support vector 1: the coefficient must be a finite number, got "three"'],
  ['data-file.model', ': looks like data, not like a model: it starts with "1 1:0.5 2:-1"'],
  ['data-table.model', ': looks like data, not like a model: it starts with "x1,x2,label"'],
  ['degree-fraction.model', ':3: degree must be a whole number >= 0 of 32 bits, got "2.5"'],
  ['dense-rows-missing.json', ': support.samples.rows: is missing'],
  ['dense-value-infinite.json', ': support.samples.values[3]: must be a finite number, got "Infinity"'],
  ['dense-value-null.json', ': support.samples.values[1]: must be a finite number, got null'],
  ['dense-value-text.json', ': support.samples.values[2]: must be a finite number, got "x"'],
  ['dense-values-object.json', ': support.samples.values: must be an array of numbers, got an object'],
  ['dense-values-too-few.json', ': support.samples.values: must hold rows x cols numbers'],
  ['dual-coef-nan.json', ': machines[0].dualCoef[0]: must be a finite number, got "NaN"'],
  ['dual-coef-too-few.json', ': machines[0].dualCoef: must be 2 numbers, one per support vector, got 1'],
  ['empty.model', ': the line SV, which ends the header, is missing'],
  ['feature-names-number.json', ': featureNames[1]: must be a string, got 2'],
  ['feature-names-too-few.json', ': featureNames: must be 2 names, one per feature, got 1'],
  [
    'features-missing-beside-scaler.json',
    ': features: is missing, which featureNames and scaler must agree with',
  ],
  ['features-negative.json', ': features: must be a whole number >= 0 and <= 4294967295, got -2'],
  ['features-other-than-vectors.json', ': support.samples.cols: must be 3, the number of features, got 2'],
  ['field-blank-line.model', ':5: unknown header field ""'],
  ['field-twice.model', ':7: rho is given twice'],
  ['field-unknown.json', ': has an unknown field "comment"'],
  ['field-unknown.model', ':5: unknown header field "nr_feature"'],
  ['format-missing.json', ': format: must be "hyperplane-model", got undefined'],
  ['format-other.json', ': format: must be "hyperplane-model", got "onnx"'],
  ['gamma-missing.model', ': gamma is missing from the header'],
  ['gamma-negative.model', ':3: gamma must be >= 0, got -0.5'],
  ['gamma-text.model', ':3: gamma must be a finite number, got "half"'],
  ['gamma-two.model', ':3: gamma must have 1 value, got 2'],
  ['index-descending.model', ':12:8: support vector 0: indices must ascend from 1, got 1 after 2'],
  ['index-text.model', ':12:3: support vector 0: expected index:value, got "one:0.5"'],
  ['index-zero.model', ':12:3: support vector 0: indices must ascend from 1, got 0 after 0'],
  ['kernel-field-unknown.json', ': kernel: has an unknown field "degree"'],
  [
    'kernel-function-not-given.json',
    ': kernel: kernelFromSpec: functions["editDistance"] must be the function that the kernel was created with, got undefined; pass it again: readModel(path, { functions }) or parseModel(text, { functions })',
  ],
  ['kernel-gamma-missing.json', ': kernel.gamma: is missing'],
  ['kernel-gamma-negative.json', ': kernel: rbf: gamma must be >= 0, got -1'],
  ['kernel-gamma-rule.json', ': kernel.gamma: must be a number, got "scale"'],
  [
    'kernel-kind-unknown.json',
    ': kernel.kind: must be one of "linear", "polynomial", "rbf", "sigmoid", "precomputed", "custom", "feature-map", "rank-one", "sum", "product", "scale", "shift", "exp", got "laplace"',
  ],
  ['kernel-missing.json', ': kernel: is missing'],
  ['kernel-part-broken.json', ': kernel.of[1].gamma: must be a number, got null'],
  ['kernel-type-empty.model', ':2: kernel_type must have 1 value, got 0'],
  [
    'kernel-type-unknown.model',
    ':2: kernel_type must be one of linear, polynomial, rbf, sigmoid, precomputed, got "laplace"',
  ],
  ['label-fraction.model', ':7: label must be a whole number of 32 bits, got "0.5"'],
  ['label-one.model', ':7: label must have 2 values, got 1'],
  ['label-same.model', ':7: label must be 2 different labels, got "1 1"'],
  ['label-too-large.model', ':7: label must be a whole number of 32 bits, got "4294967296"'],
  ['linear-with-support.json', ': has an unknown field "support"'],
  ['machine-field-unknown.json', ': machines[0]: has an unknown field "biass"'],
  ['machine-positive-wrong.json', ': machines[0].positive: must be 1, got 2'],
  ['machines-empty.json', ': machines: must be 1, one per pair of classes, got 0'],
  ['machines-missing.json', ': machines: is missing'],
  ['machines-two.json', ': machines: must be 1, one per pair of classes, got 2'],
  ['nr-class-three.model', ':4: nr_class must be 2, the number of labels, got 3'],
  ['nr-sv-missing.model', ': nr_sv is missing from the header'],
  ['nr-sv-sum.model', ':10: nr_sv must be 2 numbers that sum to total_sv, 3, got "2 2"'],
  ['pair-without-colon.model', ':12:9: support vector 0: expected index:value, got "2"'],
  [
    'precomputed-serial-beyond.json',
    ': support.samples.values[1]: must be a whole number from 1 to 4, got 5',
  ],
  [
    'precomputed-serial-fraction.json',
    ': support.samples.values[0]: must be a whole number from 1 to 4, got 1.5',
  ],
  ['precomputed-sparse.json', ': support.samples.kind: must be dense for the precomputed kernel'],
  ['precomputed-two-columns.json', ': support.samples.cols: must be 1 (the serial numbers), got 2'],
  ['prob-a-alone.model', ': probB is missing from the header'],
  ['prob-a-text.model', ':8: probA must be a finite number, got "x"'],
  ['probability-half.json', ': machines[0].probability.b: is missing'],
  ['rho-missing.model', ': rho is missing from the header'],
  ['rho-nan.model', ':6: rho must be a finite number, got "nan"'],
  ['rho-two.model', ':6: rho must have 1 value, got 2'],
  [
    'samples-kind-unknown.json',
    ': support.samples.kind: must be one of "dense", "sparse", "list", got "coo"',
  ],
  ['samples-list-for-rbf.json', ': support.samples.kind: must be dense or sparse for the rbf kernel'],
  ['scaler-kind-unknown.json', ': scaler.kind: must be one of "range", "standard", got "robust"'],
  ['scaler-lengths-differ.json', ': scaler: mean and scale must be equally long'],
  ['scaler-scale-zero.json', ': scaler.scale[1]: must be a number > 0, got 0'],
  ['scaler-width.json', ': scaler: must be for 2 features, got one for 1'],
  [
    'serial-and-values.model',
    ':10:1: support vector 1: expected 0:serial, a whole number >= 1, and nothing else',
  ],
  [
    'serial-fraction.model',
    ':10:1: support vector 1: expected 0:serial, a whole number >= 1, and nothing else',
  ],
  [
    'serial-missing.model',
    ':10:1: support vector 1: expected 0:serial, a whole number >= 1, and nothing else',
  ],
  ['serial-zero.model', ':10:1: support vector 1: expected 0:serial, a whole number >= 1, and nothing else'],
  ['sparse-index-beyond.json', ': support.samples.indices[1]: must be smaller than cols'],
  ['sparse-index-negative.json', ': support.samples.indices[0]: must be a whole number >= 0, got -1'],
  [
    'sparse-index-repeated.json',
    ': support.samples.indices[1]: must be larger than the one before it in its row',
  ],
  ['sparse-indptr-end.json', ': support.samples.indptr[2]: must be the number of values'],
  ['sparse-indptr-falls.json', ': support.samples.indptr[2]: must not be smaller than the one before'],
  ['sparse-indptr-start.json', ': support.samples.indptr[0]: must be 0'],
  ['sparse-indptr-too-short.json', ': support.samples.indptr: must hold rows + 1 numbers'],
  ['sparse-values-too-few.json', ': support.samples.indices: must be as many as values'],
  ['support-indices-fraction.json', ': support.indices[1]: must be a whole number >= 0, got 1.5'],
  ['support-indices-too-many.json', ': support.indices: must be 2 numbers, one per support vector, got 3'],
  ['support-missing.json', ': support: is missing'],
  ['sv-line-missing.model', ': the line SV, which ends the header, is missing'],
  ['svm-type-missing.model', ': svm_type is missing from the header'],
  [
    'svm-type-unknown.model',
    ':1: svm_type must be one of c_svc, nu_svc, one_class, epsilon_svr, nu_svr, got "c_svm"',
  ],
  ['total-sv-negative.model', ':5: total_sv must be a whole number >= 0 of 32 bits, got "-3"'],
  ['total-sv-text.model', ':5: total_sv must be a whole number >= 0 of 32 bits, got "three"'],
  ['total-sv-too-large.model', ':10: nr_sv must be 2 numbers that sum to total_sv, 4, got "1 2"'],
  ['truncated.model', ': the line SV, which ends the header, is missing'],
  [
    'type-missing.json',
    ': type: must be one of svc, nu-svc, svr, nu-svr, one-class, linear-svc, linear-svr, linear-one-class, got undefined',
  ],
  [
    'type-unknown.json',
    ': type: must be one of svc, nu-svc, svr, nu-svr, one-class, linear-svc, linear-svr, linear-one-class, got "tree"',
  ],
  [
    'value-infinite.model',
    ':12:3: support vector 0: the value of index 1 must be a finite number, got "1e999"',
  ],
  ['value-missing.model', ':12:3: support vector 0: the value of index 1 must be a finite number, got ""'],
  ['value-text.model', ':12:3: support vector 0: the value of index 1 must be a finite number, got "x"'],
  ['vector-blank-line.model', ':13: a support vector is missing'],
  ['vectors-too-few.model', ': total_sv is 3, but 2 support vectors follow'],
  ['vectors-too-many.model', ': total_sv is 3, but 4 support vectors follow'],
  ['version-missing.json', ': version: must be 1 or 2, got undefined'],
  ['version-newer.json', ': version: must be 1 or 2, got 3'],
  ['version-text.json', ': version: must be 1 or 2, got "1"'],
  // What follows is the JavaScript engine's own finding.
  ['truncated.json', ': not valid JSON: '],
]

describe('one defect a file', () => {
  test.each(defects)('%s', (file, message) => {
    let error: unknown
    try {
      parseModel(readFileSync(folder + file, 'utf8'), { name: file })
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(FormatError)
    const found = (error as FormatError).message
    expect(file === 'truncated.json' ? found.slice(0, file.length + message.length) : found).toBe(
      file + message,
    )
  })

  test('every file is listed', () => {
    expect(defects.map(([file]) => file).sort()).toEqual(readdirSync(folder).sort())
  })
})
