import { textFromNumber } from '../text/number-text.ts'
import type { ColumnEncoder } from './column-encoder.ts'
import type { ColumnPreparation } from './column-preparation.ts'

/**
 * A readable description of a preparation, one line per column: `age: number, 3 missing filled with median 29`. None where
 * nothing was prepared.
 */
export function describePreparation(preparation: ColumnPreparation | undefined): string[] {
  return (preparation?.columns ?? []).map(
    (encoder) => `${encoder.name || '(no name)'}: ${kindWords(encoder)}${missingWords(encoder)}`,
  )
}

function kindWords(encoder: ColumnEncoder): string {
  switch (encoder.kind) {
    case 'category': {
      const { categories, rare = 0, unseen } = encoder
      const others = rare > 0 ? ` and ${rare} rare ones without a feature` : ''
      return `category, ${categories.length} ${categories.length === 1 ? 'value' : 'values'}${others}, unseen ones: ${unseen}`
    }
    case 'ordinal':
      return `ordinal, ${encoder.order.join(' < ')}`
    case 'date': {
      const order =
        encoder.format === 'ymd' ? '' : encoder.format === 'dmy' ? ' (day first)' : ' (month first)'
      return `date${order} as ${encoder.parts.map((part) => (part === 'epoch' ? 'days since 1970' : part)).join(', ')}`
    }
    case 'text': {
      const [min, max] = encoder.ngrams
      const unit = encoder.analyzer === 'word' ? 'word' : 'character'
      const runs = max === 1 ? `${unit}s` : `sequences of ${min} to ${max} ${unit}s`
      return encoder.vectorizer === 'hashing'
        ? `text, ${runs} hashed to ${encoder.buckets} features`
        : `text, tf-idf of ${encoder.terms?.length} ${max === 1 ? `${unit}s` : runs}`
    }
    case 'vector':
      return `list of ${encoder.width} numbers`
    case 'number':
      return encoder.unit === undefined ? 'number' : `number in ${encoder.unit}`
    default:
      return encoder.kind
  }
}

function missingWords(encoder: ColumnEncoder): string {
  const { missing } = encoder
  const indicator = encoder.indicator ? ', indicated by a feature' : ''
  if (missing === 0) return indicator
  if (encoder.kind === 'text') return `, ${missing} missing treated as empty${indicator}`
  if (!('fill' in encoder) || !encoder.fill) return indicator
  const { value, by } = encoder.fill
  const shown =
    encoder.kind === 'date'
      ? new Date(value as number).toISOString().slice(0, 10)
      : typeof value === 'number'
        ? shortNumber(value)
        : value
  const how = by === 'constant' ? '' : `${by.replace('-', ' ')} `
  return `, ${missing} missing filled with ${how}${shown}${indicator}`
}

function shortNumber(value: number): string {
  return textFromNumber(Number(value.toPrecision(6)))
}
