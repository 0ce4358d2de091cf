/**
 * Blocks of a sharded data set as Arrow IPC files, so that others can read and write them. Columns, none with nulls:
 *
 *   label    float64                          the label, or the position of the class among those of the manifest
 *   weight   float64                          only where samples have weights
 *   indices  list<uint32>, values list<float64>       of sparse rows: columns from 0 on, ascending; no zeros needed
 *   values   fixed_size_list<float64>[columns]        of dense rows
 *
 * Arrays are taken as they stand in the bytes: reading a block is a copy at most, where it comes in several record batches.
 */
import {
  type Batch,
  batchType,
  Column,
  type DataType,
  field,
  fixedSizeList,
  float64,
  list,
  type Table,
  Type,
  tableFromColumns,
  tableFromIPC,
  tableToIPC,
  uint32,
} from '@uwdata/flechette'
import { FormatError, HyperplaneError } from '../../base/errors.ts'
import { joinArrays } from '../../base/lists.ts'
import type { Matrix } from '../matrix/matrix.ts'
import type { ShardBlock } from './shard-block.ts'

/** The arrays of a batch, as flechette keeps them. */
interface BatchArrays {
  readonly length: number
  readonly nullCount: number
  readonly type: DataType
  readonly values: ArrayLike<number>
  readonly offsets: Int32Array
  readonly children: readonly BatchArrays[]
}

/** The bytes of a block. */
export function formatBlock({ samples, labels, weights }: ShardBlock): Uint8Array {
  const columns: [string, Batch<unknown>][] = [['label', numbers(float64(), labels)]]
  if (weights) columns.push(['weight', numbers(float64(), weights)])
  if (samples.kind === 'dense') {
    const item = field('item', float64(), false)
    columns.push(['values', nested(fixedSizeList(item, samples.cols), samples.rows, {}, samples.values)])
  } else {
    const offsets = new Int32Array(samples.indptr.buffer, samples.indptr.byteOffset, samples.indptr.length)
    const lists = (type: DataType, values: Float64Array | Uint32Array) =>
      nested(list(field('item', type, false)), samples.rows, { offsets }, values, type)
    columns.push(['indices', lists(uint32(), samples.indices)], ['values', lists(float64(), samples.values)])
  }
  return formatColumns(columns)
}

/** Columns of doubles by their names, as an Arrow file. */
export function formatNumbers(columns: Readonly<Record<string, Float64Array>>): Uint8Array {
  return formatColumns(Object.entries(columns).map(([name, values]) => [name, numbers(float64(), values)]))
}

/** Reads what {@link formatNumbers} writes. */
export function parseNumbers<Name extends string>(
  bytes: Uint8Array,
  names: readonly Name[],
  file?: string,
): Record<Name, Float64Array> {
  return explained(file, () => {
    const table = tableFromIPC(bytes)
    return Object.fromEntries(names.map((name) => [name, doubles(table, name)])) as Record<Name, Float64Array>
  })
}

/** Reads a block with this many columns; `thorough` looks at every index and value, not only at their number. */
export function parseBlock(
  bytes: Uint8Array,
  { columns, layout, weighted }: { columns: number; layout: 'sparse' | 'dense'; weighted: boolean },
  thorough: boolean,
  file?: string,
): ShardBlock {
  return explained(file, () => {
    const table = tableFromIPC(bytes)
    const rows = table.numRows
    const samples = layout === 'sparse' ? sparseRows(table, rows, columns) : denseRows(table, rows, columns)
    const labels = doubles(table, 'label')
    const weights = weighted ? doubles(table, 'weight') : undefined
    if (thorough) {
      checkRows(samples)
      if (!labels.every(Number.isFinite)) throw new FormatError('a label is not a finite number', { file })
      if (weights && !weights.every((weight) => weight >= 0 && weight < Number.POSITIVE_INFINITY)) {
        throw new FormatError('a weight is not a finite number >= 0', { file })
      }
    }
    return { samples, labels, ...(weights && { weights }) }
  })
}

function formatColumns(columns: readonly (readonly [string, Batch<unknown>])[]): Uint8Array {
  const table = tableFromColumns(
    Object.fromEntries(columns.map(([name, batch]) => [name, new Column([batch])])),
  )
  return tableToIPC(table, { format: 'file' })!
}

function numbers(type: DataType, values: Float64Array | Uint32Array): Batch<unknown> {
  return batchOf(type, { length: values.length, values })
}

function nested(
  type: DataType,
  length: number,
  parts: object,
  values: Float64Array | Uint32Array,
  valueType: DataType = float64(),
): Batch<unknown> {
  return batchOf(type, { length, ...parts, children: [numbers(valueType, values)] })
}

function batchOf(type: DataType, parts: object): Batch<unknown> {
  const Batch = batchType(type) as unknown as new (options: object) => Batch<unknown>
  return new Batch({ nullCount: 0, type, validity: new Uint8Array(0), ...parts })
}

function sparseRows(table: Table, rows: number, cols: number): Matrix {
  const indices = batchesOf(table, 'indices', Type.List)
  const values = batchesOf(table, 'values', Type.List)
  const indptr = listEnds(indices, rows)
  const other = listEnds(values, rows)
  if (indptr.some((end, i) => end !== other[i])) throw new Error('indices and values differ in length')
  return {
    kind: 'sparse',
    rows,
    cols,
    indptr,
    indices: listItems(indices, Uint32Array),
    values: listItems(values, Float64Array),
  }
}

function denseRows(table: Table, rows: number, cols: number): Matrix {
  const batches = batchesOf(table, 'values', Type.FixedSizeList)
  const parts = batches.map(({ children: [items] }) => plain(items, Float64Array))
  const values = joined(parts, Float64Array)
  if (values.length !== rows * cols)
    throw new Error(`${values.length} values for ${rows} rows of ${cols} columns`)
  return { kind: 'dense', rows, cols, values }
}

/** Where each row ends, over all batches. */
function listEnds(batches: readonly BatchArrays[], rows: number): Uint32Array {
  const ends = new Uint32Array(rows + 1)
  let row = 0
  let base = 0
  for (const { offsets, length } of batches) {
    for (let i = 1; i <= length; i++) {
      if (!(offsets[i] >= offsets[i - 1])) throw new Error('the offsets of a list fall')
      ends[++row] = base + offsets[i] - offsets[0]
    }
    base = ends[row]
  }
  return ends
}

function listItems<A extends Float64Array | Uint32Array>(
  batches: readonly BatchArrays[],
  Type: ArrayType<A>,
): A {
  const parts = batches.map(({ offsets, length, children: [items] }) => {
    const values = plain(items, Type)
    if (values.length < offsets[length]) throw new Error('a list goes beyond its items')
    return values.subarray(offsets[0], offsets[length]) as A
  })
  return joined(parts, Type)
}

function doubles(table: Table, name: string): Float64Array {
  const parts = batchesOf(table, name, Type.Float).map((batch) => plain(batch, Float64Array))
  const values = joined(parts, Float64Array)
  if (values.length !== table.numRows) throw new Error(`column ${name} has ${values.length} values`)
  return values
}

function batchesOf(table: Table, name: string, typeId: number): readonly BatchArrays[] {
  const column = table.getChild(name)
  if (!column) throw new Error(`there is no column ${name}`)
  if (column.type.typeId !== typeId) throw new Error(`column ${name} has another type`)
  if (column.nullCount > 0) throw new Error(`column ${name} has nulls`)
  return column.data as unknown as readonly BatchArrays[]
}

type ArrayType<A> = { new (length: number): A; readonly name: string }

function plain<A extends Float64Array | Uint32Array>(batch: BatchArrays, Type: ArrayType<A>): A {
  const { values, nullCount, length } = batch
  if (!(values instanceof Type)) throw new Error(`values must be those of a ${Type.name}`)
  if (nullCount > 0) throw new Error('values must not be null')
  return values.subarray(0, length) as A
}

/** A block of one batch, as is usual, is not copied. */
function joined<A extends Float64Array | Uint32Array>(parts: readonly A[], Type: ArrayType<A>): A {
  return parts.length === 1 ? parts[0] : joinArrays(Type, parts)
}

/** Finite values, and ascending columns that exist. */
function checkRows(samples: Matrix): void {
  const { values } = samples
  for (let k = 0; k < values.length; k++) {
    // x - x is NaN for NaN and for infinities.
    if (values[k] - values[k] !== 0) throw new Error('a value is not a finite number')
  }
  if (samples.kind === 'dense') return
  const { indices, indptr, cols, rows } = samples
  for (let i = 0; i < rows; i++) {
    let previous = -1
    for (let k = indptr[i]; k < indptr[i + 1]; k++) {
      if (indices[k] <= previous || indices[k] >= cols) {
        throw new Error(`row ${i}: columns must ascend and be below ${cols}, got ${indices[k]}`)
      }
      previous = indices[k]
    }
  }
}

/** Whatever goes wrong is wrong with the file. */
function explained<R>(file: string | undefined, work: () => R): R {
  try {
    return work()
  } catch (error) {
    if (error instanceof HyperplaneError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new FormatError(`not a block of a sharded data set: ${reason}`, { file })
  }
}
