/**
 * Paths on the engine: one dual (../../problems/general-dual.ts) each, solved for a row of ascending C over the same matrix of
 * squared distances or products, by one thread each; see assembly/paths/path.ts.
 */
import { countUp, largestOf } from '../../base/lists.ts'
import { copyRow, type Matrix } from '../../data/matrix/matrix.ts'
import { rowDot, squaredNorms } from '../../data/matrix/products.ts'
import { uploadKernel } from '../matrix/engine-kernel.ts'
import type { EngineMatrix } from '../matrix/engine-matrix.ts'
import type { RowRange } from '../matrix/select-rows.ts'
import type { Engine, EngineArray, PathsUnderWay } from '../memory/engine.ts'
import { type FieldName, offsetOf, sizeOf, writeFields } from '../memory/fields.ts'
import { PATH_STATUSES, QUERIES } from '../memory/structures.ts'
import { type MeasuredSamples, measureSamples, type RoughValues } from './measured-samples.ts'
import {
  engineLengths,
  kernelCount,
  kernelName,
  largestNeeds,
  PADDING,
  type Store,
  seedsOf,
  sharesMatrix,
} from './path-bytes.ts'
import type { PathInput, PathResult } from './path-input.ts'

/** MOST_SPREAD of assembly/paths/path-kernel.ts. */
const MOST_SPREAD = 0.5
/** About how long the calling thread works before it lets others have a turn. */
const SLICE_NS = 10e6

/** Samples that are on the engine already, for paths that have a `split`. */
export interface SamplesOfPairs {
  readonly matrix: EngineMatrix
  readonly rows: number
  /** f32 of each sample: k(x, x). */
  readonly diagonal: EngineArray<Float32Array>
  /** Where the rows that pairs share are: {@link reserveOwnRows}. */
  readonly ownRows: number
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

/** How {@link CPaths} works. */
export interface CPathsOptions {
  readonly mostThreads?: number
  /**
   * Of folds of one machine: products of kernel values may be f32, as far as these allow. Solutions are within their tolerance all the
   * same, but not to the bit those of paths with other kernels beside them.
   */
  readonly ofFolds?: RoughValues
  /** Whether it is known that kernel values are not mostly zero, so that nobody has to find out. */
  readonly isDense?: boolean
}

/** See the header of the file. The engine must have no other work until the paths are finished. */
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
  /** Kβ at the end of those that others start from. */
  private readonly finalG: (EngineArray<Float64Array> | undefined)[]
  private readonly valueError: number
  private readonly space: number
  private readonly underWay: PathsUnderWay
  /** All memory; a record says in it whether it is there. */
  private readonly statuses: Int32Array

  /** All kernels must be made of the same: rbf of distances, the others of products. */
  constructor(
    engine: Engine,
    samples: Matrix | MeasuredSamples | SamplesOfPairs,
    paths: readonly PathInput[],
    { mostThreads = Number.POSITIVE_INFINITY, ofFolds, isDense = false }: CPathsOptions = {},
  ) {
    this.engine = engine
    this.paths = paths
    this.count = samples.rows
    this.kernels = kernelCount(paths)
    this.ofPairs = 'ownRows' in samples ? samples : undefined
    this.transformed =
      'matrix' in samples
        ? isTransformed(samples)
        : this.kernels === 1 && (ofFolds !== undefined || !mayBeShifted(samples, paths))
    const { matrix, distances, stride, valueError = 0 } = this.measured(samples, ofFolds)
    this.valueError = valueError
    this.records = paths.map(({ C }) => {
      const records = engine.array(Uint8Array, C.length * sizeOf('RECORD'))
      records.fill(0)
      return records
    })
    this.decisions = paths.map(({ C, samples: { length }, training }) =>
      engine.array(Float64Array, C.length * (length - training)),
    )
    const seeds = seedsOf(paths)
    const lengths = paths.map((path) => engineLengths(samples.rows, path))
    this.solutions = paths.map(({ keepSolutions, C }, p) =>
      keepSolutions || seeds.has(p) ? engine.array(Float64Array, C.length * lengths[p].variables) : undefined,
    )
    this.finalG = paths.map((_, p) =>
      seeds.has(p) ? engine.array(Float64Array, lengths[p].columns) : undefined,
    )
    const threads = Math.min(engine.threads, paths.length, mostThreads)
    const spaces = engine.array(Uint32Array, threads)
    const slots = this.makeSlots(Math.min(threads, this.kernels), distances, stride, !isDense)
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
    roughly: RoughValues | undefined,
  ): Pick<MeasuredSamples, 'matrix' | 'distances' | 'stride' | 'valueError'> {
    if ('ownRows' in samples) return { matrix: samples.matrix, distances: 0, stride: 0 }
    if (!('matrix' in samples)) {
      const wanted = this.transformed ? { ...(roughly && { roughly }) } : undefined
      return measureSamples(this.engine, samples, this.paths[0].kernel, wanted)
    }
    this.engine.reserveScratch(samples.cols)
    return samples
  }

  /** A workspace for the largest path. */
  private makeSpace(slots: number): number {
    const { engine } = this
    const needs = largestNeeds(this.count, this.paths)
    const { variables, columns, matrix, compact, free, ownLists, ownStore, passing, compactLists } = needs
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
      told: doubles(variables),
      exact: doubles(variables),
      exactSums: doubles(columns),
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
      passing: engine.allocate(passing),
      made: engine.allocate(variables),
      pieces: doubles(variables),
      batch: engine.allocate(3 * 4 * QUERIES),
      groups: engine.allocate(variables + PADDING),
      runs: doubles(columns),
    })
  }

  /** Room for this many K that paths share. */
  private makeSlots(slots: number, matrix: number, stride: number, hasLists: boolean): number {
    const { engine } = this
    const { slot, slotLists, slotStore } = largestNeeds(this.count, this.paths)
    const pointers = engine.array(Uint8Array, sizeOf('SLOTS') + slots * sizeOf('SLOT'))
    pointers.fill(0)
    const everybody = engine.array(Uint32Array, this.count)
    everybody.set(countUp(this.count))
    const fields = { count: slots, rows: this.count, stride, everybody: everybody.pointer }
    writeFields(engine.memory, 'SLOTS', pointers.pointer, fields)
    for (let s = 0; s < slots; s++) {
      writeFields(engine.memory, 'SLOT', pointers.pointer + sizeOf('SLOTS') + s * sizeOf('SLOT'), {
        k: this.transformed ? matrix : engine.allocate(slot),
        lists: hasLists && slotLists > 0 ? engine.allocate(slotLists) : 0,
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
    // What pairs of classes are about are windows of few arrays.
    const arrays = sharing((buffer: ArrayBufferLike) => doubles(new Float64Array(buffer)))
    const kernelOf = kernelPointers(engine)
    const kernels = paths.map(kernelOf)
    const longest = Math.max(count, largestOf(paths.map(({ samples }) => samples.length)))
    const places = countUp(longest)
    const everybody = places.subarray(0, count)
    const spread = sharing((samples: Uint32Array) =>
      sharing((values: Float64Array) => spreadOut(values, samples, count)),
    )
    // Paths of the same kernel one after the other, so that its K is made once; the largest first, as nobody should begin with a long one
    // when the others are done.
    const isSeeded = (p: number) => Number(paths[p].seed !== undefined)
    const order = Array.from(paths.keys()).sort(
      (a, b) =>
        kernels[a] - kernels[b] ||
        isSeeded(a) - isSeeded(b) ||
        paths[b].training - paths[a].training ||
        a - b,
    )
    const placeOf = new Uint32Array(paths.length)
    order.forEach((p, place) => {
      placeOf[p] = place
    })
    order.forEach((p, place) => {
      const path = paths[p]
      const { samples, training, target, lower, upper, C, sums } = path
      const shares = sharesMatrix(count, path)
      const own = (values: Float64Array): number => {
        if (path.split !== undefined) return arrays(values.buffer) + values.byteOffset
        return doubles(shares ? spread(samples)(values) : values)
      }
      const wanted = (shares ? samples : places).subarray(training, samples.length)
      writeFields(engine.memory, 'PATH', pointer + place * sizeOf('PATH'), {
        kernel: kernels[p],
        samples: numbers(shares ? everybody : samples),
        training: engineLengths(count, path).variables,
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
        columns: engineLengths(count, path).columns,
        onDemand: Number(path.split !== undefined),
        split: path.split ?? 0,
        diagonal: this.ofPairs?.diagonal.pointer ?? 0,
        ownRows: this.ofPairs?.ownRows ?? 0,
        valueError: this.valueError,
        seed: this.hasSeed(path) ? pointer + placeOf[path.seed] * sizeOf('PATH') : 0,
        finalG: this.finalG[p]?.pointer ?? 0,
      })
    })
    return pointer
  }

  /** Whether a path can start from the one that it names: either must have the columns of all samples, or neither. */
  private hasSeed(path: PathInput): path is PathInput & { readonly seed: number } {
    const { count, paths } = this
    return path.seed !== undefined && sharesMatrix(count, path) === sharesMatrix(count, paths[path.seed])
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

  /** Whether C number c of path p is done. */
  hasResult(p: number, c: number): boolean {
    return this.statusOf(p, c) !== 0
  }

  /** What has come of C number c of path p; undefined until it is there. */
  result(p: number, c: number): PathResult | undefined {
    const status = this.statusOf(p, c)
    if (status === 0) return undefined
    const at = this.recordOf(p, c)
    const view = new DataView(this.engine.memory.buffer)
    const double = (field: FieldName<'RECORD'>) => view.getFloat64(at + offsetOf('RECORD', field), true)
    const integer = (field: FieldName<'RECORD'>) => view.getUint32(at + offsetOf('RECORD', field), true)
    const { samples, training } = this.paths[p]
    const heldOut = samples.length - training
    const solution = this.solutionOf(p, c)
    return {
      ...(solution && { solution }),
      decisions: this.decisions[p].subarray(c * heldOut, (c + 1) * heldOut),
      bias: double('bias'),
      width: double('width'),
      dual: double('dual'),
      size: double('size'),
      violation: double('violation'),
      steps: double('steps'),
      seconds: double('work') / 1e9,
      supportVectors: integer('support'),
      boundedSupportVectors: integer('bounded'),
      converged: status === PATH_STATUSES.converged,
    }
  }

  private recordOf(p: number, c: number): number {
    return this.records[p].pointer + c * sizeOf('RECORD')
  }

  private statusOf(p: number, c: number): number {
    return Atomics.load(this.statuses, (this.recordOf(p, c) + offsetOf('RECORD', 'status')) >>> 2)
  }

  private solutionOf(p: number, c: number): Float64Array | undefined {
    const solutions = this.solutions[p]
    const { samples, training, keepSolutions } = this.paths[p]
    if (!solutions || !keepSolutions) return undefined
    if (!sharesMatrix(this.count, this.paths[p])) return solutions.slice(c * training, (c + 1) * training)
    return Float64Array.from(samples.subarray(0, training), (i) => solutions[c * this.count + i])
  }
}

/**
 * Whether paths may take k − 1 for k (assembly/paths/path-kernel.ts), for which they need distances: those that others follow with further
 * kernels do, and bits must not depend on who comes with whom. Some more than rounding could make of the limit.
 */
function mayBeShifted(samples: Matrix, paths: readonly PathInput[]): boolean {
  const { kernel } = paths[0]
  if (kernel.kind !== 'rbf' || paths.every(({ sums }) => sums !== undefined)) return false
  const first = new Float64Array(samples.cols)
  copyRow(samples, 0, first)
  const norms = squaredNorms(samples)
  let largest = 0
  for (let i = 0; i < samples.rows; i++) {
    largest = Math.max(largest, norms[0] + norms[i] - 2 * rowDot(samples, i, first))
  }
  return 4 * kernel.gamma * largest <= 1.001 * MOST_SPREAD
}

function isTransformed(samples: MeasuredSamples | SamplesOfPairs): boolean {
  return 'transformed' in samples && samples.transformed === true
}

/** A function that uploads the kernel of a path, those that are equal once. */
function kernelPointers(engine: Engine): (path: PathInput) => number {
  const known = new Map<string, number>()
  return (path) => {
    const key = kernelName(path)
    const at = known.get(key) ?? uploadKernel(engine, path.kernel, path.sums === undefined)
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
