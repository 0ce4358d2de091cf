/**
 * The columns of a Parquet file. Its schema is a tree, written as a list: every element says how many of the following are its
 * children. Plain columns are leaves below the root; lists are chains of a group, a repeated element and, mostly, a leaf below
 * that. Structures, maps and lists of lists are columns whose values are not read.
 */
import type { SchemaElement } from 'hyparquet'
import { show } from '../../base/errors.ts'

/** A column as a table has it. */
export interface ParquetColumn {
  readonly name: string
  /** How its values are stored; undefined of structures and maps. */
  readonly leaf: LeafColumn | undefined
}

/** Values that are stored one after the other. */
export interface LeafColumn extends SchemaElement {
  /** Names of the elements that lead to it. */
  readonly path: readonly string[]
  /** The definition level of a value that is there: as many of the elements above it, and of itself, may be missing. */
  readonly definition: number
  /** Of lists: the level from which on a list is there, though it may be empty. */
  readonly listFrom?: number
}

/** All columns, and all leaves in the order of the file. */
export interface ParquetSchema {
  readonly columns: readonly ParquetColumn[]
  readonly leaves: readonly LeafColumn[]
}

/** Deeper trees are damage: lists of structures of lists have six levels. */
const DEEPEST = 32

/** Reads and checks the tree. */
export function readSchema([root, ...elements]: readonly SchemaElement[]): ParquetSchema {
  const leaves: LeafColumn[] = []
  const columns: ParquetColumn[] = []
  let at = 0
  /** Takes the next element and everything below it. */
  const visit = (above: readonly SchemaElement[]): void => {
    const element = elements[at++]
    if (element === undefined) throw new Error('the schema ends too early')
    checkElement(element)
    const chain = [...above, element]
    if (chain.length > DEEPEST) throw new Error(`the schema is deeper than ${DEEPEST} levels`)
    const { num_children: children } = element
    if (!children) leaves.push(leafOf(chain))
    for (let c = 0; c < (children ?? 0); c++) visit(chain)
  }
  const count = root?.num_children ?? 0
  for (let c = 0; c < count && at < elements.length; c++) {
    const { name } = elements[at]
    const first = leaves.length
    const top = at
    visit([])
    const isRead = leaves.length === first + 1 && isPlainOrList(elements.slice(top, at))
    columns.push({ name, leaf: isRead ? leaves[first] : undefined })
  }
  if (columns.length !== count || at !== elements.length) {
    throw new Error(`the schema announces ${count} columns and has ${columns.length + elements.length - at}`)
  }
  return { columns, leaves }
}

function checkElement({ name, type, num_children, repetition_type }: SchemaElement): void {
  if (typeof name !== 'string') throw new Error('a column has no name')
  if (!num_children && type === undefined) throw new Error(`column ${show(name)} has no type`)
  if (repetition_type === undefined) {
    throw new Error(`column ${show(name)} does not say whether values may be missing`)
  }
}

/** The last element of a chain as a leaf, with its levels. */
function leafOf(chain: readonly SchemaElement[]): LeafColumn {
  const repeated = chain.findIndex(({ repetition_type }) => repetition_type === 'REPEATED')
  const mayLack = (elements: readonly SchemaElement[]): number =>
    elements.filter(({ repetition_type }) => repetition_type !== 'REQUIRED').length
  return {
    ...chain[chain.length - 1],
    path: chain.map(({ name }) => name),
    definition: mayLack(chain),
    ...(repeated >= 0 && { listFrom: mayLack(chain.slice(0, repeated)) }),
  }
}

/** A leaf that may be repeated; or a group that is marked as a list, with a repeated leaf or group of one leaf below it. */
function isPlainOrList(chain: readonly SchemaElement[]): boolean {
  if (chain.length === 1) return true
  const [top, repeated, ...below] = chain
  const isMarked = top.converted_type === 'LIST' || top.logical_type?.type === 'LIST'
  return (
    isMarked &&
    top.repetition_type !== 'REPEATED' &&
    repeated.repetition_type === 'REPEATED' &&
    below.length <= 1 &&
    below.every(({ repetition_type }) => repetition_type !== 'REPEATED')
  )
}
