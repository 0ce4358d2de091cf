/** Text models of every type, each of their fields broken in turn: the error names the field and its line. */
import { describe, expect, test } from 'vitest'
import { FormatError } from '../../../src/base/errors.ts'
import { parseModel } from '../../../src/models/files/parse-model.ts'

const rbf = ['kernel_type rbf', 'gamma 0.5']
const polynomial = ['kernel_type polynomial', 'degree 3', 'gamma 0.5', 'coef0 1']
const threeClasses = ['nr_class 3', 'total_sv 3', 'rho 0.5 0 -1', 'label 2 7 -3', 'nr_sv 1 1 1']
const models: Readonly<Record<string, readonly string[]>> = {
  c_svc: ['svm_type c_svc', ...rbf, ...threeClasses, 'SV', '1 0.5 1:1 3:2', '-1 0 2:1', '0.5 -0.5 1:-1'],
  'nu_svc with probabilities': [
    ...['svm_type nu_svc', ...polynomial, 'nr_class 2', 'total_sv 2', 'rho 0.5', 'label 1 -1'],
    ...['probA -2', 'probB 0.25', 'nr_sv 1 1', 'SV', '1 1:1', '-1 2:1'],
  ],
  one_class: [
    ...['svm_type one_class', 'kernel_type linear', 'nr_class 2', 'total_sv 2', 'rho 0.5'],
    ...['prob_density_marks -5 -4 -3 -2 -1 1 2 3 4 5', 'SV', '0.5 1:1', '0.5 2:1'],
  ],
  epsilon_svr: [
    ...['svm_type epsilon_svr', 'kernel_type sigmoid', 'gamma 1', 'coef0 0', 'nr_class 2', 'total_sv 1'],
    ...['rho 0.5', 'probA 0.125', 'SV', '0.5 1:1'],
  ],
  'nu_svr, precomputed': [
    ...['svm_type nu_svr', 'kernel_type precomputed', 'nr_class 2', 'total_sv 2', 'rho 0.5', 'SV'],
    ...['0.5 0:1', '-0.5 0:3'],
  ],
  'LIBLINEAR, several classes': [
    ...['solver_type L2R_LR', 'nr_class 3', 'label 1 2 3', 'nr_feature 2', 'bias 1', 'w'],
    ...['1 2 3', '4 5 6', '7 8 9'],
  ],
  'LIBLINEAR, regression': ['solver_type L2R_L2LOSS_SVR', 'nr_class 2', 'nr_feature 1', 'bias -1', 'w', '1'],
  'LIBLINEAR, one class': [
    'solver_type ONECLASS_SVM',
    ...['nr_class 2', 'nr_feature 1', 'bias -1', 'rho 0.5', 'w', '1'],
  ],
}

function messageOf(lines: readonly string[]): string {
  try {
    parseModel(`${lines.join('\n')}\n`, { name: 'm' })
  } catch (error) {
    expect(error).toBeInstanceOf(FormatError)
    return (error as Error).message
  }
  return 'accepted'
}

/** Without these a model is another one, not a broken one. */
const optional = ['probA', 'probB', 'prob_density_marks']

describe.each(Object.entries(models))('%s', (_, lines) => {
  const end = lines.findIndex((line) => line === 'SV' || line === 'w')
  const fields = lines.slice(0, end).map((line, i) => [line.split(' ')[0], i] as const)
  const changed = (i: number, ...by: readonly string[]) => lines.toSpliced(i, 1, ...by)

  test('is read as it is', () => {
    expect(messageOf(lines)).toBe('accepted')
  })

  test.each(fields)('%s', (field, i) => {
    const place = `m:${i + 1}: ${field}`
    const [, ...values] = lines[i].split(' ')
    for (let v = 0; v < values.length; v++) {
      for (const bad of ['x', 'nan', '1e999', '0x10']) {
        expect(messageOf(changed(i, [field, ...values.with(v, bad)].join(' ')))).toContain(place)
      }
    }
    expect(messageOf(changed(i, field))).toMatch(new RegExp(`^${place} must have ${values.length} value`))
    expect(messageOf(changed(i, `${lines[i]} 1`))).toMatch(new RegExp(`^${place} must have`))
    expect(messageOf(changed(i, lines[i], lines[i]))).toBe(`m:${i + 2}: ${field} is given twice`)
    expect(messageOf(changed(i, `${field}s ${values.join(' ')}`))).toBe(
      field === 'solver_type'
        ? 'm: the line SV, which ends the header, is missing'
        : `m:${i + 1}: unknown header field "${field}s"`,
    )
    if (optional.includes(field)) return
    const without = messageOf(changed(i))
    expect(without).toContain(
      field === 'solver_type' ? 'the line SV' : `m: ${field} is missing from the header`,
    )
  })

  test('every line after the header', () => {
    for (let i = end + 1; i < lines.length; i++) {
      expect(messageOf(changed(i, 'x 1:1'))).toMatch(new RegExp(`^m:${i + 1}`))
      expect(messageOf(changed(i))).toMatch(/^m: .*follow$/)
      expect(messageOf(changed(i, lines[i], lines[i]))).toMatch(/^m: .*follow$/)
      expect(messageOf(changed(i, '', lines[i]))).toMatch(/^m(:\d+)?: /)
    }
    expect(messageOf(lines.slice(0, end))).toMatch(/^m: the line (SV|w), which ends the header, is missing$/)
  })
})

test.each([
  ['a class too many', 'c_svc', 'nr_class 3', 'nr_class 4', 'm:4: nr_class must be 3, the number of labels'],
  ['two equal labels', 'c_svc', 'label 2 7 -3', 'label 2 7 2', 'm:7: label must be 3 different labels'],
  ['vectors missing', 'c_svc', 'nr_sv 1 1 1', 'nr_sv 1 1 2', 'm:8: nr_sv must be 3 numbers that sum to'],
  ['a label line', 'one_class', 'rho 0.5', 'rho 0.5\nlabel 1', 'm:6: label does not belong to a model of'],
  ['probB', 'epsilon_svr', 'probA 0.125', 'probB 1', 'm:8: probB does not belong to a model of epsilon_svr'],
  ['negative noise', 'epsilon_svr', 'probA 0.125', 'probA -1', 'm:8: probA must be >= 0, got -1'],
  [
    ...(['falling marks', 'one_class', '1 2 3 4 5', '1 2 3 5 4'] as const),
    'm:6: prob_density_marks must be 10 numbers that do not fall',
  ],
  ['marks', 'c_svc', 'nr_sv 1', 'prob_density_marks 1\nnr_sv 1', 'm:8: prob_density_marks does not belong'],
  ['rho', 'LIBLINEAR, regression', 'bias -1', 'bias -1\nrho 1', 'm:5: rho does not belong to a model of'],
  ['labels', 'LIBLINEAR, regression', 'nr_class 2', 'nr_class 2\nlabel 1 2', 'm:3: label does not belong'],
  ['coefficient', 'c_svc', '-1 0 2:1', '-1 2:1', 'm:11:4: support vector 1: coefficient 2 of 2 must be'],
  ['weight', 'LIBLINEAR, several classes', '4 5 6', '4 5 six', 'm:8:5: a weight must be a finite number'],
  ['weights', 'LIBLINEAR, several classes', '4 5 6', '4 5', 'm:8: row 1 of w must have 3 weights, got 2'],
])('%s', (_, model, from, to, message) => {
  const text = models[model].join('\n')
  expect(text).toContain(from)
  expect(messageOf([text.replace(from, to)])).toContain(message)
})
