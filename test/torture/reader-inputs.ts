/** Sound inputs of every reader of text, to be damaged. */
import type { Random } from '../../src/base/random.ts'
import { pick } from './random-data.ts'

function number(random: Random): string {
  const value = random.normal() * 10 ** (random.int(9) - 4)
  return pick(random, [
    String(value),
    value.toPrecision(4),
    String(random.int(100)),
    '0',
    '-0.5',
    value.toExponential(),
  ])
}

/** Lines of LIBSVM data. */
export function libsvmText(random: Random): string {
  const words = random.int(4) === 0
  const end = pick(random, ['\n', '\n', '\r\n', ' \n', ' # note\n'])
  const lines = Array.from({ length: 1 + random.int(30) }, () => {
    let index = random.int(8) === 0 ? -1 : 0
    const pairs = Array.from({ length: random.int(8) }, () => {
      index += 1 + random.int(4)
      return `${index}:${number(random)}`
    })
    const label = words
      ? pick(random, ['cat', 'dog', 'ünï'])
      : pick(random, ['1', '-1', '2.5', number(random)])
    return [label, ...(random.int(6) === 0 ? ['qid:3'] : []), ...pairs].join(' ')
  })
  return `${pick(random, ['', '', '\ufeff', '# head\n', '\n'])}${lines.join(end)}${end}`
}

/** A table with commas, semicolons or tabs. */
export function csvText(random: Random): string {
  const delimiter = pick(random, [',', ';', '\t', '|'])
  const end = pick(random, ['\n', '\r\n', '\r'])
  const cols = 1 + random.int(4)
  const head = [...Array.from({ length: cols }, (_, k) => pick(random, [`f${k}`, `"f ${k}"`])), 'label'].join(
    delimiter,
  )
  const rows = Array.from({ length: 1 + random.int(20) }, () =>
    [...Array.from({ length: cols }, () => number(random)), pick(random, ['a', '"b ""c"""', 'd'])].join(
      delimiter,
    ),
  )
  return [...(random.int(2) === 0 ? [head] : []), ...rows, ''].join(end)
}

/** A range file. */
export function rangeText(random: Random): string {
  const lines = random.int(3) === 0 ? ['y', '0 1', '-2 3.5'] : []
  lines.push('x', '-1 1')
  for (let j = 1; j < 2 + random.int(12); j++)
    if (random.int(4) > 0) lines.push(`${j} ${-random.int(9)} ${random.int(9)}`)
  return `${lines.join('\n')}\n`
}

/** A model of LIBSVM's. */
export function libsvmModelText(random: Random): string {
  const type = pick(random, ['c_svc', 'nu_svc', 'one_class', 'epsilon_svr', 'nu_svr'])
  const classifies = type.endsWith('svc')
  const k = classifies ? 2 + random.int(3) : 2
  const kernel = pick(random, [
    'linear',
    'rbf\ngamma 0.5',
    'polynomial\ndegree 3\ngamma 0.25\ncoef0 1',
    'sigmoid\ngamma 0.1\ncoef0 0',
  ])
  const counts = Array.from({ length: classifies ? k : 1 }, () => 1 + random.int(4))
  const total = counts.reduce((sum, one) => sum + one, 0)
  const pairs = classifies ? (k * (k - 1)) / 2 : 1
  const many = (count: number) => Array.from({ length: count }, () => number(random)).join(' ')
  const vectors = Array.from({ length: total }, () => {
    const values = Array.from(
      { length: 1 + random.int(4) },
      (_, j) => `${2 * j + 1 + random.int(2)}:${number(random)}`,
    )
    return `${many(classifies ? k - 1 : 1)} ${values.join(' ')} `
  })
  return [
    `svm_type ${type}`,
    `kernel_type ${kernel}`,
    `nr_class ${k}`,
    `total_sv ${total}`,
    `rho ${many(pairs)}`,
    ...(classifies ? [`label ${Array.from({ length: k }, (_, c) => (c * 7) % 5).join(' ')}`] : []),
    ...(classifies && random.int(2) === 0 ? [`probA ${many(pairs)}`, `probB ${many(pairs)}`] : []),
    ...(classifies ? [`nr_sv ${counts.join(' ')}`] : []),
    'SV',
    ...vectors,
    '',
  ].join('\n')
}

/** A model of LIBLINEAR's. */
export function liblinearModelText(random: Random): string {
  const solver = pick(random, ['L2R_LR', 'L2R_L2LOSS_SVC', 'MCSVM_CS', 'L2R_L2LOSS_SVR', 'ONECLASS_SVM'])
  const classifies = !/SVR|ONECLASS/.test(solver)
  const k = classifies ? 2 + random.int(3) : 2
  const features = random.int(6)
  const bias = pick(random, [-1, 1])
  const machines = classifies && (k > 2 || solver === 'MCSVM_CS') ? k : 1
  const rows = Array.from({ length: features + (bias >= 0 ? 1 : 0) }, () =>
    Array.from({ length: machines }, () => `${number(random)} `).join(''),
  )
  return [
    `solver_type ${solver}`,
    `nr_class ${k}`,
    ...(classifies ? [`label ${Array.from({ length: k }, (_, c) => (c * 7) % 5).join(' ')}`] : []),
    `nr_feature ${features}`,
    `bias ${bias}`,
    ...(solver === 'ONECLASS_SVM' ? ['rho 0.25'] : []),
    'w',
    ...rows,
    '',
  ].join('\n')
}
