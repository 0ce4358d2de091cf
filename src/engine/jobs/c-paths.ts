/**
 * Paths on the engine: one dual (../../problems/general-dual.ts) each, solved for a row of ascending C over the same matrix of
 * squared distances or products, by one thread each; see assembly/paths/path.ts.
 */
import { countUp, largestOf } from '../../base/lists.ts'
import type { Matrix } from '../../data/matrix/matrix.ts'
import { type EngineKernel, uploadKernel } from '../matrix/engine-kernel.ts'
import { type EngineMatrix, uploadMatrix } from '../matrix/engine-matrix.ts'
import type { RowRange } from '../matrix/select-rows.ts'
import type { Engine, EngineArray, PathsUnderWay } from '../memory/engine.ts'
import { offsetOf, readFields, sizeOf, writeFields } from '../memory/fields.ts'
import { PATH_STATUSES, QUERIES } from '../memory/structures.ts'

/** Entries that vectors are padded by: a block, and where there are two sides another one between them. */
const PADDING = 32
/** About how long the calling thread works before it lets others have a turn. */
const SLICE_NS = 10e6
/** A path may gather at most this share of its rows and columns: COMPACT_BELOW and NEWCOMERS of assembly/paths/path-active.ts. */
const COMPACT_SHARE = 0.8
/** Bytes of the rows in f64 that are kept: they are few, and serve all C and folds of a kernel. */
const STORE_BYTES = 2 ** 25
/** Most variables that are free at the same time and solved as one linear system: its factor takes 4 MB per thread. */
const MOST_FREE = 1024

/** What is to be solved. All arrays belong to the training samples but `samples`, which has the held-out ones as well. */
export interface PathInput {
  readonly kernel: EngineKernel
  /** Row numbers: first those of training, each once, then those held out, which may be any. */
  readonly samples: Uint32Array
  readonly training: number
  readonly target: Float64Array
  /** The box for C = 1. */
  readonly lower: Float64Array
  readonly upper: Float64Array
  /** What multiplies the box at each step, ascending. */
  readonly C: Float64Array
  /** At each step, what β adds up to above 0, and below: fixed where given. */
  readonly sums?: Float64Array
  readonly tube: number
  readonly tol: number
  readonly maxSteps: number
  /** Whether β itself is wanted as well. */
  readonly keepSolutions?: boolean
  /**
   * Of a path over two classes whose kernel rows are made as they are needed (assembly/paths/pair-rows.ts): how many samples
   * are of the first. Those of each class follow one another in the matrix.
   */
  readonly split?: number
}

/** Samples that are on the engine already, for paths that have a `split`. */
export interface SamplesOfPairs {
  readonly matrix: EngineMatrix
  readonly rows: number
  /** f32 of each sample: k(x, x). */
  readonly diagonal: EngineArray<Float32Array>
  /** Where the rows that pairs share are: {@link reserveOwnRows}. */
  readonly ownRows: number
}

/** Samples that are on the engine with the matrix of their squared distances or products, for any number of paths. */
export interface MeasuredSamples {
  readonly matrix: EngineMatrix
  readonly rows: number
  readonly cols: number
  readonly distances: number
  readonly stride: number
}

/** Uploads samples and makes the matrix of their distances, or of the values of the kernel themselves where that is wanted. */
export function measureSamples(
  engine: Engine,
  samples: Matrix,
  kernel: EngineKernel,
  transformed = false,
): MeasuredSamples {
  const { rows, cols } = samples
  engine.reserveScratch(cols)
  const matrix = uploadMatrix(engine, samples, kernel)
  const stride = strideFor(rows)
  const distances = engine.allocate(rows * stride)
  const mark = engine.mark()
  const numbers = engine.array(Uint32Array, rows)
  for (let i = 0; i < rows; i++) numbers[i] = i
  engine.run({
    kind: 'distances',
    matrix: matrix.pointer,
    kernel: uploadKernel(engine, kernel),
    samples: numbers.pointer,
    count: rows,
    distances,
    stride,
    transformed: Number(transformed),
  })
  engine.release(mark)
  return { matrix, rows, cols, distances, stride }
}

/** Room for k(x, class of x) of these classes of all `samples`, as far as `bytes` reach; returns where the structure is. */
export function reserveOwnRows(
  engine: Engine,
  classes: readonly RowRange[],
  samples: number,
  bytes: number,
): number {
  const states = engine.array(Uint32Array, samples)
  const pieces = engine.array(Uint32Array, samples)
  states.fill(0)
  pieces.fill(0)
  let left = bytes
  for (const [from, to] of classes) {
    const size = 16 * Math.ceil((to - from) / 4)
    const count = Math.min(to - from, Math.floor(left / size))
    const first = engine.allocate(count * size)
    for (let i = 0; i < count; i++) pieces[from + i] = first + i * size
    left -= count * size
  }
  return engine.structure('OWN_ROWS', { pieces: pieces.pointer, states: states.pointer })
}

/** What has come of one C. */
export interface PathResult {
  /** f of the held-out samples. */
  readonly decisions: Float64Array
  /** β of the training samples, where it was asked for. */
  readonly solution?: Float64Array
  readonly bias: number
  /** Where sums are fixed: ρ of two classes, ε of a regression. */
  readonly width: number
  readonly dual: number
  /** Σ |β| */
  readonly size: number
  readonly violation: number
  readonly steps: number
  /** About how long it took. */
  readonly seconds: number
  readonly supportVectors: number
  readonly boundedSupportVectors: number
  readonly converged: boolean
}

/** Bytes from row to row of a matrix of f32, padded to whole cache lines. */
const strideFor = (columns: number): number => Math.ceil(columns / 16) * 64

/** Bytes of the lists of assembly/dual/sparse-rows.ts for so many rows of so many bytes. */
const listsFor = (rows: number, rowBytes: number): number => rows * (rowBytes / 64 + 1) * 2

/** Rows in f64 that are kept of so many, each of so many columns (assembly/paths/exact-store.ts), and their bytes. */
function storeFor(rows: number, columns: number): Store {
  const rowBytes = Math.ceil(columns / 2) * 16
  const room = Math.min(rows, Math.floor(STORE_BYTES / Math.max(1, rowBytes)))
  return { room, bytes: room * rowBytes, states: rows * 4 }
}

interface Store {
  readonly room: number
  readonly bytes: number
  readonly states: number
}

/** Bytes of memory that paths over `count` samples take on so many threads, with the matrix; whether that is to be kept as it is. */
export function pathBytes(
  count: number,
  paths: readonly PathInput[],
  threads: number,
  isKept = false,
): number {
  const needs = largest(count, paths)
  const kernels = kernelCount(paths)
  const slots = Math.min(threads, kernels) * ((kernels > 1 || isKept ? needs.slot : 0) + slotBytes(needs))
  return count * strideFor(count) + slots + Math.min(threads, paths.length) * spaceBytes(needs)
}

type Needs = ReturnType<typeof largest>

/** Of a workspace. */
function spaceBytes({ variables, matrix, compact, free, ownLists, compactLists, ownStore }: Needs): number {
  const factor = 4 * (free + 32) ** 2
  const store = ownStore.bytes + ownStore.states
  return matrix + compact + factor + ownLists + compactLists + store + 240 * variables
}

/** Of what belongs to a K that is shared, beside itself. */
const slotBytes = ({ slotLists, slotStore }: Needs): number => slotLists + slotStore.bytes + slotStore.states

function kernelCount(paths: readonly PathInput[]): number {
  return new Set(paths.map(({ kernel }) => JSON.stringify(kernel))).size
}

/**
 * A path over most samples has the same K as others with its kernel: rows and columns in the order of the matrix, those
 * that it does not train on in boxes of width 0.
 */
const sharesMatrix = (count: number, { training, split }: PathInput): boolean =>
  split === undefined && 2 * training > count

/** Bytes from row to row of the matrix that a path has for itself; rows made as they are needed are written in fours. */
const ownStride = ({ samples, split }: PathInput): number =>
  strideFor(samples.length + (split === undefined ? 0 : 3))

function largest(count: number, paths: readonly PathInput[]) {
  const own = paths.filter((path) => !sharesMatrix(count, path))
  const sharing = own.length < paths.length
  const onDemand = paths.some(({ split }) => split !== undefined)
  const training = largestOf(paths.map((path) => path.training))
  const sided = largestOf(paths.filter(({ sums }) => sums).map((path) => path.training))
  const ownTraining = Math.max(0, largestOf(own.map((path) => path.training)))
  const ownSamples = Math.max(0, largestOf(own.map(({ samples }) => samples.length)))
  const free = Math.min(training, MOST_FREE)
  const variables = sharing ? count : training
  return {
    variables,
    columns: Math.max(sharing ? count : 0, ownSamples),
    matrix: Math.max(0, largestOf(own.map((path) => path.training * ownStride(path)))),
    slot: sharing ? count * strideFor(count) : 0,
    compact: Math.max(
      (onDemand ? training : Math.min(training, Math.ceil(COMPACT_SHARE * count))) * strideFor(training),
      // Where sides have sums of their own, every sample may be gathered, with some room between the sides.
      sided < 0 ? 0 : (sided + PADDING) * strideFor(sided + PADDING),
    ),
    free: 4 * Math.ceil(free / 4),
    ownLists: Math.max(
      0,
      largestOf(own.map((path) => listsFor(path.training, strideFor(path.samples.length)))),
    ),
    slotLists: sharing ? listsFor(count, strideFor(count)) : 0,
    compactLists: listsFor(variables, strideFor(variables)),
    ownStore: storeFor(ownTraining, ownSamples),
    slotStore: storeFor(sharing ? count : 0, count),
  }
}

/** See the head of the file. The engine must have no other work until the paths are finished. */
export class CPaths {
  private readonly engine: Engine
  private readonly paths: readonly PathInput[]
  /** Of all samples. */
  private readonly count: number
  private readonly ofPairs: SamplesOfPairs | undefined
  private readonly kernels: number
  /** Whether the matrix has the values of the one kernel that there is, and not distances. */
  private readonly transformed: boolean
  private readonly records: EngineArray<Uint8Array>[]
  private readonly decisions: EngineArray<Float64Array>[]
  private readonly solutions: (EngineArray<Float64Array> | undefined)[]
  private readonly space: number
  private readonly underWay: PathsUnderWay
  /** All memory; a record says in it whether it is there. */
  private readonly statuses: Int32Array

  /** All kernels must be made of the same: rbf of distances, the others of products. */
  constructor(
    engine: Engine,
    samples: Matrix | MeasuredSamples | SamplesOfPairs,
    paths: readonly PathInput[],
    mostThreads = Number.POSITIVE_INFINITY,
  ) {
    this.engine = engine
    this.paths = paths
    this.count = samples.rows
    this.kernels = kernelCount(paths)
    this.ofPairs = 'ownRows' in samples ? samples : undefined
    this.transformed = this.kernels === 1 && !('matrix' in samples)
    const { matrix, distances, stride } = this.measured(samples)
    this.records = paths.map(({ C }) => {
      const records = engine.array(Uint8Array, C.length * sizeOf('RECORD'))
      records.fill(0)
      return records
    })
    this.decisions = paths.map(({ C, samples: { length }, training }) =>
      engine.array(Float64Array, C.length * (length - training)),
    )
    this.solutions = paths.map((path) => {
      const variables = sharesMatrix(samples.rows, path) ? samples.rows : path.training
      return path.keepSolutions ? engine.array(Float64Array, path.C.length * variables) : undefined
    })
    const threads = Math.min(engine.threads, paths.length, mostThreads)
    const spaces = engine.array(Uint32Array, threads)
    const slots = this.makeSlots(Math.min(threads, this.kernels), distances)
    for (let t = 0; t < threads; t++) spaces[t] = this.makeSpace(slots)
    this.space = spaces[0]
    const pointer = this.writePaths()
    this.statuses = new Int32Array(engine.memory.buffer)
    this.underWay = engine.beginPaths(
      {
        kind: 'paths',
        matrix: matrix.pointer,
        distances,
        stride,
        paths: pointer,
        count: paths.length,
        spaces: spaces.pointer,
      },
      threads,
    )
  }

  /** The matrix that paths are over; pairs make their rows as they need them. */
  private measured(
    samples: Matrix | MeasuredSamples | SamplesOfPairs,
  ): Pick<MeasuredSamples, 'matrix' | 'distances' | 'stride'> {
    if ('ownRows' in samples) return { matrix: samples.matrix, distances: 0, stride: 0 }
    if (!('matrix' in samples))
      return measureSamples(this.engine, samples, this.paths[0].kernel, this.transformed)
    this.engine.reserveScratch(samples.cols)
    return samples
  }

  /** A workspace for the largest path. */
  private makeSpace(slots: number): number {
    const { engine } = this
    const { variables, columns, matrix, compact, free, ownLists, ownStore, compactLists } = largest(
      this.count,
      this.paths,
    )
    const doubles = (length: number): number => engine.allocate((length + PADDING) * 8)
    const singles = (length: number): number => engine.allocate((length + PADDING) * 4)
    return engine.structure('SPACE', {
      compact: engine.allocate(compact + 4 * PADDING),
      compactBytes: compact,
      set: engine.allocate(engine.exports.setBytes(variables + PADDING, free)),
      setCapacity: variables + PADDING,
      setRoom: free,
      beta: doubles(variables),
      g: doubles(columns),
      lower: doubles(variables),
      upper: doubles(variables),
      synced: doubles(variables),
      exact: doubles(variables),
      active: singles(variables),
      v32: singles(variables),
      up32: singles(variables),
      low32: singles(variables),
      diagonal32: singles(variables),
      aBeta: doubles(variables),
      aLower: doubles(variables),
      aUpper: doubles(variables),
      aTarget: doubles(variables),
      aG: doubles(variables),
      aBefore: doubles(variables),
      list: singles(variables),
      coefficients: doubles(columns),
      p: doubles(variables),
      q: doubles(variables),
      pairs: doubles(2 * variables),
      ranks: doubles(variables),
      ownK: engine.allocate(matrix + 4 * PADDING),
      slots,
      places: singles(variables),
      compactLists: engine.allocate(compactLists),
      ownLists: engine.allocate(ownLists),
      factored: singles(variables),
      ownStore: this.makeStore(ownStore),
      made: engine.allocate(variables),
      batch: engine.allocate(3 * 4 * QUERIES),
      groups: engine.allocate(variables + PADDING),
    })
  }

  /** Room for so many K that paths share. */
  private makeSlots(slots: number, matrix: number): number {
    const { engine } = this
    const { slot, slotLists, slotStore } = largest(this.count, this.paths)
    const pointers = engine.array(Uint8Array, sizeOf('SLOTS') + slots * sizeOf('SLOT'))
    pointers.fill(0)
    writeFields(engine.memory, 'SLOTS', pointers.pointer, { count: slots })
    for (let s = 0; s < slots; s++) {
      writeFields(engine.memory, 'SLOT', pointers.pointer + sizeOf('SLOTS') + s * sizeOf('SLOT'), {
        k: this.transformed ? matrix : engine.allocate(slot),
        lists: engine.allocate(slotLists),
        store: this.makeStore(slotStore),
      })
    }
    return pointers.pointer
  }

  private makeStore({ room, bytes, states }: Store): number {
    const { engine } = this
    const rows = engine.allocate(bytes)
    return engine.structure('STORE', { room, rows, states: engine.allocate(states) })
  }

  private writePaths(): number {
    const { engine, paths, count } = this
    const pointer = engine.allocate(paths.length * sizeOf('PATH'))
    const numbers = sharing((values: Uint32Array) => {
      const array = engine.array(Uint32Array, values.length)
      array.set(values)
      return array.pointer
    })
    const doubles = sharing((values: Float64Array) => {
      const array = engine.array(Float64Array, values.length)
      array.set(values)
      return array.pointer
    })
    const kernelOf = kernelPointers(engine)
    const kernels = paths.map(({ kernel }) => kernelOf(kernel))
    const longest = Math.max(count, largestOf(paths.map(({ samples }) => samples.length)))
    const places = countUp(longest)
    const everybody = places.subarray(0, count)
    const spread = sharing((samples: Uint32Array) =>
      sharing((values: Float64Array) => spreadOut(values, samples, count)),
    )
    // Paths of the same kernel one after the other, so that its K is made once.
    const order = Array.from(paths.keys()).sort((a, b) => kernels[a] - kernels[b] || a - b)
    order.forEach((p, place) => {
      const path = paths[p]
      const { samples, training, target, lower, upper, C, sums } = path
      const shares = sharesMatrix(count, path)
      const own = (values: Float64Array): number => doubles(shares ? spread(samples)(values) : values)
      const wanted = (shares ? samples : places).subarray(training, samples.length)
      writeFields(engine.memory, 'PATH', pointer + place * sizeOf('PATH'), {
        kernel: kernels[p],
        samples: numbers(shares ? everybody : samples),
        training: shares ? count : training,
        heldOut: samples.length - training,
        target: own(target),
        lower: own(lower),
        upper: own(upper),
        count: C.length,
        bounds: doubles(C),
        sums: sums ? doubles(sums) : 0,
        records: this.records[p].pointer,
        decisions: this.decisions[p].pointer,
        solutions: this.solutions[p]?.pointer ?? 0,
        tube: path.tube,
        tol: path.tol,
        maxSteps: path.maxSteps,
        places: numbers(wanted),
        shares: Number(shares),
        transformed: Number(this.transformed),
        columns: shares ? count : samples.length,
        onDemand: Number(path.split !== undefined),
        split: path.split ?? 0,
        diagonal: this.ofPairs?.diagonal.pointer ?? 0,
        ownRows: this.ofPairs?.ownRows ?? 0,
      })
    })
    return pointer
  }

  /**
   * Works for some milliseconds, while other threads work on their own. 'waiting': there is nothing left for this thread,
   * but others are still at it.
   */
  advance(): 'working' | 'waiting' | 'done' {
    if (!this.underWay.work(this.space, SLICE_NS)) return 'working'
    return this.underWay.isBusy() ? 'waiting' : 'done'
  }

  /** Stops all threads. */
  finish(): void {
    this.underWay.finish()
  }

  /** What has come of C number c of path p; undefined until it is there. */
  result(p: number, c: number): PathResult | undefined {
    const at = this.records[p].pointer + c * sizeOf('RECORD')
    const status = Atomics.load(this.statuses, (at + offsetOf('RECORD', 'status')) >>> 2)
    if (status === 0) return undefined
    const record = readFields(this.engine.memory, 'RECORD', at)
    const { samples, training } = this.paths[p]
    const heldOut = samples.length - training
    const solution = this.solutionOf(p, c)
    return {
      ...(solution && { solution }),
      decisions: Float64Array.from(this.decisions[p].subarray(c * heldOut, (c + 1) * heldOut)),
      bias: record.bias,
      width: record.width,
      dual: record.dual,
      size: record.size,
      violation: record.violation,
      steps: record.steps,
      seconds: record.work / 1e9,
      supportVectors: record.support,
      boundedSupportVectors: record.bounded,
      converged: status === PATH_STATUSES.converged,
    }
  }

  private solutionOf(p: number, c: number): Float64Array | undefined {
    const solutions = this.solutions[p]
    if (!solutions) return undefined
    const { samples, training } = this.paths[p]
    if (!sharesMatrix(this.count, this.paths[p])) return solutions.slice(c * training, (c + 1) * training)
    return Float64Array.from(samples.subarray(0, training), (i) => solutions[c * this.count + i])
  }
}

/** A function that uploads a kernel, those that are equal once. */
function kernelPointers(engine: Engine): (kernel: EngineKernel) => number {
  const known = new Map<string, number>()
  return (kernel) => {
    const key = JSON.stringify(kernel)
    const at = known.get(key) ?? uploadKernel(engine, kernel)
    known.set(key, at)
    return at
  }
}

/** Values of some samples in the order of all, 0 for the others. */
function spreadOut(values: Float64Array, samples: Uint32Array, count: number): Float64Array {
  const all = new Float64Array(count)
  for (let k = 0; k < values.length; k++) all[samples[k]] = values[k]
  return all
}

/** The same function, called once for each argument. */
function sharing<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const value = make(key)
    made.set(key, value)
    return value
  }
}
