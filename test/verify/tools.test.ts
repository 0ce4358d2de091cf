/** Models of Debian's svm-train and liblinear-train. */
import { describe, expect, it } from 'vitest'
import { formatLibsvm } from '../../src/data/libsvm/libsvm-writer.ts'
import { parseModel } from '../../src/models/files/parse-model.ts'
import type { VerifyResult } from '../../src/verify/claims.ts'
import { verifySync } from '../../src/verify/verify.ts'
import { toolFolder, toolsInstalled } from '../suites/installed-tools.ts'
import { clouds, curve, kernelRows } from '../suites/tool-data.ts'

const files = toolFolder()
const two = clouds(11, 120, [-1, 1])
const three = clouds(12, 150, [2, 7, 4])
const line = curve(13, 120)

function trainedBy(command: string, flags: string, data: typeof two, text = formatLibsvm(data)): string {
  files.write('data', text)
  files.run(command, ['-q', ...flags.split(' ')], 'data', 'model')
  return files.read('model')
}

describe.skipIf(!toolsInstalled('libsvm-tools', ['svm-train']))('svm-train', () => {
  const problems = [
    ['-s 0 -c 0.3', two, { C: 0.3 }],
    ['-s 0 -c 2 -w4 3 -w2 0.7', three, { C: 2, classWeight: { 4: 3, 2: 0.7 } }],
    ['-s 1 -n 0.7', two, { nu: 0.7 }],
    ['-s 1 -n 0.6', three, { nu: 0.6 }],
    ['-s 2 -n 0.3', two, { nu: 0.3 }],
    ['-s 3 -c 0.7 -p 0.05', line, { C: 0.7, epsilon: 0.05 }],
    ['-s 4 -c 0.7 -n 0.4', line, { C: 0.7, nu: 0.4 }],
  ] as const
  const kernels = ['-t 0', '-t 1 -g 0.2 -r 1 -d 2', '-t 2 -g 0.3', '-t 3 -g 0.05 -r -0.1']
  const cases = problems.flatMap(([flags, data, settings]) =>
    kernels.map((kernel) => ({ flags: `${flags} ${kernel}`, data, settings })),
  )

  it.each(cases)('$flags', ({ flags, data, settings }) => {
    const text = trainedBy('svm-train', flags, data)
    const result = verifySync(parseModel(text), data, settings)
    expect(result).toMatchObject({ holds: true })
    for (const part of result.parts) expect(part.maxViolation).toBeLessThan(1.01e-3)
  })

  it.each(cases)('$flags: a coefficient off by 1% is caught', ({ flags, data, settings }) => {
    const lines = trainedBy('svm-train', flags, data).split('\n')
    const at = lines.indexOf('SV') + 2
    const [coefficient, ...others] = lines[at].split(' ')
    const place = Number(coefficient) === 0 ? 1 : 0
    const words = [coefficient, ...others]
    words[place] = String(1.01 * Number(words[place]))
    const { holds } = verifySync(parseModel(lines.with(at, words.join(' ')).join('\n')), data, settings)
    expect(holds).toBe(false)
  })

  it('-t 4', () => {
    const gram = { ...two, samples: kernelRows(two.samples, two.samples) }
    const text = trainedBy('svm-train', '-t 4 -c 2', gram, formatLibsvm(gram, { indexBase: 0 }))
    expect(verifySync(parseModel(text), gram, { C: 2 })).toMatchObject({ holds: true })
  })

  it('finds support vectors of more than 8 digits, and says that it rounded', () => {
    const text = trainedBy('svm-train', '-c 2', two)
    const { remarks } = verifySync(parseModel(text), two, { C: 2 })
    expect(remarks[0]).toMatch(/rounded to 8 digits/)
  })

  it('a looser -e is not the default one', () => {
    const text = trainedBy('svm-train', '-c 2 -e 0.5', two)
    expect(verifySync(parseModel(text), two, { C: 2 }).holds).toBe(false)
    expect(verifySync(parseModel(text), two, { C: 2, tol: 0.5 }).holds).toBe(true)
  })
})

describe.skipIf(!toolsInstalled('liblinear-tools', ['liblinear-train']))('liblinear-train', () => {
  const classifiers = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((solver) =>
    [two, three].flatMap((data) =>
      [-1, 2].map((bias) => ({ solver, bias, data, classes: data === two ? 2 : 3 })),
    ),
  )
  it.each(classifiers)('-s $solver -B $bias, $classes classes', ({ solver, bias, data }) => {
    const text = trainedBy('liblinear-train', `-s ${solver} -c 0.5 -B ${bias}`, data)
    const result = verifySync(parseModel(text), data, { C: 0.5 })
    expect(result).toMatchObject({ holds: true })
    for (const { gap, primal } of result.parts) {
      expect(gap).toBeGreaterThan(-1e-9 * primal)
      expect(gap).toBeLessThan(0.05 * primal)
    }
  })

  it.each([11, 12, 13])('-s %i', (solver) => {
    const text = trainedBy('liblinear-train', `-s ${solver} -c 0.5 -p 0.1 -B 1 -e 0.001`, line)
    const result = verifySync(parseModel(text), line, { C: 0.5, epsilon: 0.1 })
    expect(result).toMatchObject({ holds: true })
    expect(result.parts[0].gap).toBeLessThan(0.01 * result.parts[0].primal)
  })

  it('class weights', () => {
    const total = ({ parts }: VerifyResult): number => parts.reduce((sum, { gap }) => sum + gap, 0)
    for (const solver of [1, 4]) {
      const text = trainedBy('liblinear-train', `-s ${solver} -c 0.5 -B 1 -e 0.001 -w7 4`, three)
      const weighted = verifySync(parseModel(text), three, { C: 0.5, classWeight: { 7: 4 } })
      const others = verifySync(parseModel(text), three, { C: 0.5, maxGap: 0 })
      expect(total(weighted)).toBeLessThan(total(others) / 2)
      expect(weighted.holds).toBe(true)
    }
  })

  it('weights that were changed are caught', () => {
    for (const solver of [0, 1, 3, 4]) {
      const lines = trainedBy('liblinear-train', `-s ${solver} -c 0.5 -B 1`, two).split('\n')
      const at = lines.indexOf('w') + 1
      const worse = lines.with(
        at,
        lines[at].replace(/\S+/, (word) => String(Number(word) + 2)),
      )
      const { holds, verdict } = verifySync(parseModel(worse.join('\n')), two, { C: 0.5 })
      expect(holds).toBe(false)
      expect(verdict).toMatch(/^the model is not shown to solve this problem: it may be /)
    }
  })
})
