/** A scaler, as `hyperplane scale --save-range` and svm-scale -s keep it, in words. */
import type { Scaler } from '../../data/scaling/scaler.ts'
import { aligned, count, counted, number, table } from './output.ts'

/** What it scales to, and what the features were; `most` features are listed. */
export function scalerLines(scaler: Scaler, most: number): string[] {
  const isRange = scaler.kind === 'range'
  const [first, second] = isRange ? [scaler.min, scaler.max] : [scaler.mean, scaler.scale]
  const headings = isRange ? ['feature', 'min', 'max'] : ['feature', 'mean', 'deviation']
  const constant = isRange ? first.filter((value, j) => value === second[j]).length : 0
  const listed = Array.from({ length: Math.min(most, first.length) }, (_, j) => [
    String(j + 1),
    number(first[j]),
    number(second[j]),
  ])
  const left = first.length - listed.length
  return [
    ...aligned([
      ['scaler', isRange ? "range: svm-scale's range file" : 'standard: unit variance'],
      [
        'features',
        `${count(first.length)}${constant > 0 ? `, ${count(constant)} of them constant and dropped` : ''}`,
      ],
      ...(isRange ? [['scaled to', `${number(scaler.lower)} to ${number(scaler.upper)}`] as const] : []),
      ...(isRange && scaler.target ? [['labels', targetWords(scaler.target)] as const] : []),
      ['use', "'hyperplane scale DATA --restore FILE' scales other data the same way"],
    ]),
    ...(listed.length > 0 ? ['', ...table(headings, listed, [])] : []),
    ...(left > 0 ? [`… and ${counted(left, 'feature')} more (--top lists them)`] : []),
  ]
}

function targetWords({ min, max, lower, upper }: Record<'min' | 'max' | 'lower' | 'upper', number>): string {
  return `from ${number(min)} … ${number(max)} to ${number(lower)} … ${number(upper)}`
}
