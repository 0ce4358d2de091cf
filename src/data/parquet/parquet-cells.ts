/** What stored values of a Parquet column mean: numbers, truth values, text, or dates. */
import type { DecodedArray, SchemaElement } from 'hyparquet'
import { parseFloat16 } from 'hyparquet/src/convert.js'
import { MS_PER_DAY } from '../table/cells.ts'
import { LARGEST_POWER_OF_TEN } from '../text/number-scanner.ts'
import { numberFromText } from '../text/number-text.ts'

type Stored = DecodedArray[number]
type Cell = number | bigint | boolean | string | Date

/** Decimals have up to 38 digits in standard SQL, and 76 elsewhere: 32 bytes. */
const longestDecimal = 32
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Milliseconds in a unit of time. */
const timeUnits: Readonly<Record<string, number>> = { MILLIS: 1, MICROS: 1e-3, NANOS: 1e-6 }
/** The day that 1970 begins with, as INT96 counts days. */
const julianDayOf1970 = 2_440_588

/** What makes a date of a stored value; undefined for columns that are none. */
function dateReader({
  type,
  converted_type,
  logical_type,
}: SchemaElement): ((stored: Stored) => Date) | undefined {
  const meaning = logical_type?.type ?? converted_type
  if (meaning === 'DATE' && type === 'INT32') return (stored) => new Date(stored * MS_PER_DAY)
  if (type === 'INT96') {
    return (stored: bigint) =>
      new Date(
        (Number(stored >> 64n) - julianDayOf1970) * MS_PER_DAY + Number(BigInt.asUintN(64, stored)) * 1e-6,
      )
  }
  if (!meaning?.startsWith('TIMESTAMP') || type !== 'INT64') return undefined
  const unit = logical_type?.type === 'TIMESTAMP' ? logical_type.unit : converted_type?.replace(/^.*_/, '')
  const ms = timeUnits[unit ?? '']
  return ms === undefined ? undefined : (stored) => new Date(Number(stored) * ms)
}

/**
 * What makes a cell of a stored value of this column; undefined when its values are neither numbers nor text, nor, where they
 * are needed, dates.
 */
export function cellReader(
  column: SchemaElement,
  withDates: boolean,
): ((stored: Stored) => Cell) | undefined {
  const toDate = withDates ? dateReader(column) : undefined
  if (toDate) return toDate
  const { type, converted_type, logical_type, scale } = column
  const meaning = logical_type?.type ?? converted_type
  if (meaning === 'DECIMAL') {
    return decimalReader((logical_type?.type === 'DECIMAL' ? logical_type.scale : scale) ?? 0)
  }
  const unsigned =
    logical_type?.type === 'INTEGER' ? !logical_type.isSigned : converted_type?.startsWith('UINT_') === true
  const isTime = meaning === 'DATE' || meaning?.startsWith('TIMESTAMP') || meaning === 'INTERVAL'
  switch (isTime ? undefined : type) {
    case 'INT32':
      return unsigned ? (stored) => stored >>> 0 : (stored) => stored
    case 'INT64':
      return unsigned ? (stored) => BigInt.asUintN(64, stored) : (stored) => stored
    case 'BOOLEAN':
    case 'FLOAT':
    case 'DOUBLE':
      return (stored) => stored
    case 'BYTE_ARRAY':
      if (meaning === undefined || ['STRING', 'UTF8', 'ENUM', 'JSON'].includes(meaning)) return textOf
      break
    case 'FIXED_LEN_BYTE_ARRAY':
      if (meaning === 'FLOAT16' && column.type_length === 2) return (stored) => parseFloat16(stored)!
      if (meaning === 'UUID') return uuidOf
  }
  return undefined
}

function textOf(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new Error('text must be UTF-8')
  }
}

function uuidOf(bytes: Uint8Array): string {
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Whole numbers times 10^-scale, rounded once. */
function decimalReader(scale: number): (stored: Stored) => number {
  if (!(Number.isInteger(scale) && scale >= 0)) throw new Error(`decimals of scale ${scale}`)
  return (stored) => {
    const whole = stored instanceof Uint8Array ? wholeOf(stored) : stored
    const number = Number(whole)
    if (scale <= LARGEST_POWER_OF_TEN && Number.isSafeInteger(number)) return number / 10 ** scale
    return numberFromText(`${whole}e-${scale}`)
  }
}

/** A whole number in two's complement, the highest byte first. */
function wholeOf(bytes: Uint8Array): bigint {
  if (bytes.length > longestDecimal) throw new Error(`a decimal of ${bytes.length} bytes`)
  const whole = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  return BigInt.asIntN(8 * bytes.length, whole)
}
