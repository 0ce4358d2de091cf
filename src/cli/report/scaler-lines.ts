/** A scaler, as `hyperplane scale --save-range` and svm-scale -s keep it, in words. */
import type { Scaler } from '../../data/scaling/scaler.ts'
import { aligned, count, counted, type Lines, number, paragraph, table } from './output.ts'

/** What it scales to, and what the features were; `most` features are listed. */
export function scalerLines(scaler: Scaler, most: number): Lines {
  const isRange = scaler.kind === 'range'
  const [first, second] = isRange ? [scaler.min, scaler.max] : [scaler.mean, scaler.scale]
  const constant = isRange ? first.filter((value, j) => value === second[j]).length : 0
  const dropped = constant > 0 ? `, ${count(constant)} of them constant and dropped` : ''
  const listed = first.slice(0, most)
  const left = first.length - listed.length
  return [
    aligned([
      ['scaler', isRange ? "range: svm-scale's range file" : 'standard: unit variance'],
      ['features', `${count(first.length)}${dropped}`],
      isRange && ['scaled to', `${number(scaler.lower)} to ${number(scaler.upper)}`],
      isRange && scaler.target && ['labels', targetWords(scaler.target)],
      ['use', "'hyperplane scale DATA --restore FILE' scales other data the same way"],
    ]),
    listed.length > 0 &&
      paragraph(
        table(listed, [
          ['feature', (_, j) => String(j + 1)],
          [isRange ? 'min' : 'mean', (value) => number(value)],
          [isRange ? 'max' : 'deviation', (_, j) => number(second[j])],
        ]),
      ),
    left > 0 && `… and ${counted(left, 'feature')} more (--top lists them)`,
  ]
}

function targetWords({ min, max, lower, upper }: Record<'min' | 'max' | 'lower' | 'upper', number>): string {
  return `from ${number(min)} … ${number(max)} to ${number(lower)} … ${number(upper)}`
}
