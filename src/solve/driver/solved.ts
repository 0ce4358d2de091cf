/**
 * The solutions of all problems of a task in a few arrays: thousands of pairs of classes take the room of their numbers,
 * and cross to another thread as they are.
 */
import { allocate } from '../../base/allocate.ts'
import type { Certificate, Solution } from '../../certify/certificate.ts'
import { CertificateList } from '../../certify/summarise-certificates.ts'
import type { SolveResult } from './run.ts'
import type { TracePoint } from './trace.ts'

/** What solving a task gives. Problems come in the order in which they were solved. */
export interface Solved {
  /** Which problems of the task these are, ascending, where others have solved some; absent where they are all. */
  readonly numbers?: readonly number[]
  /** Where the dual variables of each problem end, among those of all. */
  readonly ends: Uint32Array
  readonly alpha: Float64Array
  readonly biases: Float64Array
  /** See {@link Solution}: of those problems that `hasBeta` marks with 1; absent where none has it. */
  readonly beta?: Float64Array
  readonly hasBeta?: Uint8Array
  /** The weights of linear machines, as many for each problem. */
  readonly weights?: Float64Array
  readonly widths?: Float64Array
  /** One a problem, or one for all where they are very many: see {@link CertificateList}. */
  readonly certificates: readonly Certificate[]
  /** The course of the run, one problem after the other. */
  readonly trace: readonly TracePoint[]
}

/** The solution of one problem; its arrays are views. */
export function solutionOf(solved: Solved, number: number): Solution {
  const { ends, alpha, biases, beta, hasBeta, weights, widths } = solved
  const [from, to] = [number === 0 ? 0 : ends[number - 1], ends[number]]
  const length = weights ? weights.length / ends.length : 0
  return {
    alpha: alpha.subarray(from, to),
    bias: biases[number],
    ...(beta && hasBeta?.[number] && { beta: beta.subarray(from, to) }),
    ...(weights && { weights: weights.subarray(number * length, (number + 1) * length) }),
    ...(widths && { width: widths[number] }),
  }
}

/** What several gave who took turns with the problems of a task, together. No traces. */
export function joinSolved(shares: readonly Solved[]): Solved {
  const all = shares.flatMap((solved) => (solved.numbers ?? []).map((number, k) => ({ number, solved, k })))
  const builder = new SolvedBuilder(all.length)
  for (const { solved, k } of all.sort((a, b) => a.number - b.number)) {
    builder.add({ ...solutionOf(solved, k), certificate: solved.certificates[k], trace: [] })
  }
  return builder.solved
}

/** Collects the results of `count` problems, one after the other, or of fewer, which have `numbers`. */
export class SolvedBuilder {
  private readonly numbers: readonly number[] | undefined
  private readonly ends: Uint32Array
  private readonly biases: Float64Array
  private readonly certificates: CertificateList
  private readonly trace: TracePoint[] = []
  private alpha: Float64Array | undefined
  private beta: Float64Array | undefined
  private readonly hasBeta: Uint8Array
  private weights: Float64Array | undefined
  private widths: Float64Array | undefined
  private added = 0

  constructor(count: number, numbers?: readonly number[]) {
    this.numbers = numbers
    this.ends = new Uint32Array(count)
    this.biases = new Float64Array(count)
    this.hasBeta = new Uint8Array(count)
    this.certificates = new CertificateList(count)
  }

  add({ alpha, beta, weights, bias, width, certificate, trace }: SolveResult): void {
    const { added, ends, biases } = this
    const start = added === 0 ? 0 : ends[added - 1]
    ends[added] = start + alpha.length
    this.alpha = this.put(this.alpha, start, alpha)
    if (beta) {
      this.beta = this.put(this.beta, start, beta)
      this.hasBeta[added] = 1
    }
    if (weights) {
      this.weights ??= allocate(Float64Array, weights.length * biases.length)
      this.weights.set(weights, added * weights.length)
    }
    biases[added] = bias
    if (width !== undefined) {
      this.widths ??= new Float64Array(biases.length)
      this.widths[added] = width
    }
    this.certificates.add(certificate)
    for (const point of trace) this.trace.push(point)
    this.added++
  }

  /** All that were added. */
  get solved(): Solved {
    const { added, numbers, ends, biases, weights, widths, trace } = this
    const total = added === 0 ? 0 : ends[added - 1]
    const { alpha = new Float64Array(), beta, hasBeta } = this
    return {
      ...(numbers && { numbers }),
      ends: ends.subarray(0, added),
      alpha: alpha.subarray(0, total),
      biases: biases.subarray(0, added),
      ...(beta && { beta: beta.subarray(0, total), hasBeta: hasBeta.subarray(0, added) }),
      // A view would cross to another thread with the room of all.
      ...(weights && {
        weights: added < ends.length ? weights.slice(0, (weights.length / ends.length) * added) : weights,
      }),
      ...(widths && { widths: widths.subarray(0, added) }),
      certificates: this.certificates.list,
      trace,
    }
  }

  /** Writes values into a list that grows by what it has; the only ones are taken as they are. */
  private put(list: Float64Array | undefined, at: number, values: Float64Array): Float64Array {
    if (!list && this.ends.length === 1) return values
    let room = list ?? new Float64Array(2 * values.length)
    if (at + values.length > room.length) {
      const larger = new Float64Array(2 * (at + values.length))
      larger.set(room)
      room = larger
    }
    room.set(values, at)
    return room
  }
}
