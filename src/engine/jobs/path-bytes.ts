/** How much memory paths on the engine (./c-paths.ts) take. */
import { largestOf } from '../../base/lists.ts'
import { EXACT_QUERIES } from '../memory/structures.ts'
import type { PathInput } from './path-input.ts'

/** Entries that vectors are padded by: a block, and where there are two sides another one between them. */
export const PADDING = 32
/** A path may gather at most this share of its rows and columns: COMPACT_BELOW and NEWCOMERS of assembly/paths/path-active.ts. */
const COMPACT_SHARE = 0.8
/**
 * Bytes of the rows in f64 that are kept: they serve all C and folds of a kernel, and there are more where they serve pairs of classes as
 * well.
 */
const STORE_BYTES = 2 ** 25
const PAIRS_STORE_BYTES = 2 ** 26
/** Most variables that are free at the same time and solved as one linear system: its factor takes 4 MB per thread. */
const MOST_FREE = 1024

/** Bytes from row to row of a matrix of f32, padded to whole cache lines. */
export const strideFor = (columns: number): number => Math.ceil(columns / 16) * 64

/** Bytes of the lists of assembly/dual/sparse-rows.ts for this many rows of this many bytes. */
const listsFor = (rows: number, rowBytes: number): number => rows * (rowBytes / 64 + 1) * 2

/** Rows in f64 that are kept of so many, each of this many columns (assembly/paths/exact-store.ts), and their bytes. */
function storeFor(rows: number, columns: number, most: number): Store {
  const rowBytes = Math.ceil(columns / 2) * 16
  const room = Math.min(rows, Math.floor(most / Math.max(1, rowBytes)))
  const passing = room < rows ? EXACT_QUERIES * rowBytes : 0
  return { room, bytes: room * rowBytes, states: rows * 4, passing }
}

/** Room for rows in f64, their bytes, those of what is known of each, and those of rows that are not kept, for a workspace. */
export interface Store {
  readonly room: number
  readonly bytes: number
  readonly states: number
  readonly passing: number
}

/**
 * Bytes of memory that paths over `count` samples take on this many threads, with the matrix; whether that is to be kept as
 * it is.
 */
export function pathBytes(
  count: number,
  paths: readonly PathInput[],
  threads: number,
  isKept = false,
): number {
  const kernels = kernelCount(paths)
  const needs = largestNeeds(count, paths)
  const slots = Math.min(threads, kernels) * ((kernels > 1 || isKept ? needs.slot : 0) + slotBytes(needs))
  return (
    count * strideFor(count) +
    slots +
    Math.min(threads, paths.length) * spaceBytes(needs) +
    seedBytes(count, paths)
  )
}

/** The paths that others start from. */
export const seedsOf = (paths: readonly PathInput[]): ReadonlySet<number> =>
  new Set(paths.flatMap(({ seed }) => seed ?? []))

/** Of what is kept of these: β and Kβ. */
function seedBytes(count: number, paths: readonly PathInput[]): number {
  let bytes = 0
  for (const p of seedsOf(paths)) {
    const { variables, columns } = engineLengths(count, paths[p])
    bytes += 8 * (variables + columns)
  }
  return bytes
}

type Needs = ReturnType<typeof largestNeeds>

/** Of a workspace. */
function spaceBytes(needs: Needs): number {
  const { variables, columns, matrix, compact, free, ownLists, compactLists, ownStore, passing } = needs
  const factor = 4 * (free + 32) ** 2
  const store = ownStore.bytes + ownStore.states + passing
  return matrix + compact + factor + ownLists + compactLists + store + 256 * variables + 32 * columns
}

/** Of what belongs to a K, beside itself. */
const slotBytes = ({ slotLists, slotStore }: Needs): number => slotLists + slotStore.bytes + slotStore.states

/** A name for the values of a kernel that a path takes; those of fixed sums have no constant taken from them. */
export const kernelName = ({ kernel, sums }: PathInput): string =>
  JSON.stringify([kernel, sums === undefined])

/** How many different kernels paths have. */
export function kernelCount(paths: readonly PathInput[]): number {
  return new Set(paths.map(kernelName)).size
}

/**
 * A path over most samples has all rows and columns of the K of its kernel, in the order of the matrix, those that it does not train on
 * in boxes of width 0. Another one that does not make its own has some of them.
 */
export const sharesMatrix = (count: number, { training, split }: PathInput): boolean =>
  split === undefined && 2 * training > count

/** How many variables and columns a path has on the engine. */
export function engineLengths(count: number, path: PathInput): { variables: number; columns: number } {
  if (sharesMatrix(count, path)) return { variables: count, columns: count }
  return { variables: path.training, columns: path.samples.length }
}

/** Bytes of the rows that a path makes or copies for itself: those that it makes are two pieces, which are written in fours. */
const ownBytes = ({ training, split }: PathInput): number =>
  training * strideFor(training + (split === undefined ? 0 : 6))

/** What the largest path of all takes, in bytes unless it is a number of entries. */
export function largestNeeds(count: number, paths: readonly PathInput[]) {
  const making = paths.filter(({ split }) => split !== undefined)
  const hasSlots = making.length < paths.length
  const others = paths.filter((path) => !sharesMatrix(count, path))
  const copying = others.filter(({ split, C }) => split === undefined && C.length > 1)
  const isShared = others.length < paths.length
  const training = largestOf(paths.map((path) => path.training))
  const sided = largestOf(paths.filter(({ sums }) => sums).map((path) => path.training))
  const ownTraining = Math.max(0, largestOf(others.map((path) => path.training)))
  const ownSamples = Math.max(0, largestOf(others.map(({ samples }) => samples.length)))
  const free = Math.min(training, MOST_FREE)
  const variables = isShared ? count : training
  const ownStore = making.length > 0 ? storeFor(ownTraining, ownSamples, STORE_BYTES) : storeFor(0, 0, 0)
  const slotStore = storeFor(hasSlots ? count : 0, count, isShared ? STORE_BYTES : PAIRS_STORE_BYTES)
  return {
    variables,
    columns: Math.max(isShared ? count : 0, ownSamples),
    matrix: Math.max(0, largestOf([...making, ...copying].map(ownBytes))),
    ownLists: Math.max(0, largestOf(copying.map(({ training: m }) => listsFor(m, strideFor(m))))),
    slot: hasSlots ? count * strideFor(count) : 0,
    compact: Math.max(
      (making.length > 0 ? training : Math.min(training, Math.ceil(COMPACT_SHARE * count))) *
        strideFor(training),
      // Those over some of the samples may gather all of these.
      ownTraining * strideFor(ownTraining),
      // Where sides have sums of their own, every sample may be gathered, with some room between the sides.
      sided < 0 ? 0 : (sided + PADDING) * strideFor(sided + PADDING),
    ),
    free: 4 * Math.ceil(free / 4),
    slotLists: isShared ? listsFor(count, strideFor(count)) : 0,
    compactLists: listsFor(variables, strideFor(variables)),
    ownStore,
    slotStore,
    passing: Math.max(ownStore.passing, slotStore.passing),
  }
}
