/**
 * Whether a problem is convex. It is if its kernel is positive semi-definite. Of most kernels that is known; of others samples
 * can only refute it: one negative pivot of a Gram matrix does (see ../kernels/check-kernel.ts, which tells more of it).
 */
import { countUp } from '../base/lists.ts'
import { Random } from '../base/random.ts'
import { isMatrix, selectRows } from '../data/matrix/matrix.ts'
import { type Samples, sampleCount } from '../data/table/dataset.ts'
import type { AnyKernel, KernelSpec } from '../kernels/kernel.ts'
import { kernelMatrix } from '../kernels/kernel-matrix.ts'

/** Samples that a kernel is tried on: some 10 ms of plain code. */
const TRIED = 100
/** What counts as rounding, relative to the largest kernel value: the square root of that of doubles, for functions of users. */
const ROUNDING = 1e-8

/** True when the kernel of a problem is known not to be positive semi-definite, or its samples show it. */
export function isRefuted({ kernel, samples }: { kernel: AnyKernel; samples: Samples }): boolean {
  const known = isDefinite(kernel.spec)
  return known === undefined ? hasNegativePivot(kernel, samples) : !known
}

/** True for kernels that are positive semi-definite whatever the samples, false for those that are not, else undefined. */
export function isDefinite(spec: KernelSpec): boolean | undefined {
  switch (spec.kind) {
    case 'linear':
    case 'rbf':
    case 'feature-map':
    case 'rank-one':
      return true
    case 'polynomial':
      return Number(spec.gamma) >= 0 && spec.coef0 >= 0 ? true : undefined
    case 'sigmoid':
      return false
    case 'sum':
    case 'product':
      return spec.of.every((part) => isDefinite(part) === true) ? true : undefined
    case 'scale':
      return spec.factor >= 0 && isDefinite(spec.of) === true ? true : undefined
    case 'shift':
      return spec.offset >= 0 && isDefinite(spec.of) === true ? true : undefined
    case 'exp':
      return isDefinite(spec.of) === true ? true : undefined
    default:
      return undefined
  }
}

/** Looks for one in the Gram matrix of some of the samples, by a Cholesky factorisation that takes the largest pivot first. */
function hasNegativePivot(kernel: AnyKernel, samples: Samples): boolean {
  const count = sampleCount(samples)
  const order = countUp(count)
  if (count > TRIED) new Random(0).shuffle(order)
  const chosen = order.subarray(0, TRIED)
  const size = chosen.length
  const some = isMatrix(samples) ? selectRows(samples, chosen) : Array.from(chosen, (i) => samples[i])
  const { values } = kernelMatrix(kernel, some, some)
  const gram = Array.from(chosen, (_, a) => values.subarray(a * size, (a + 1) * size))
  const scale = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  const least = ROUNDING * scale * size
  const isOpen = new Uint8Array(size).fill(1)
  for (let step = 0; step < size; step++) {
    let pivot = -1
    for (let a = 0; a < size; a++) {
      if (isOpen[a] && gram[a][a] < -least) return true
      if (isOpen[a] && (pivot < 0 || gram[a][a] > gram[pivot][pivot])) pivot = a
    }
    const own = gram[pivot][pivot]
    if (own <= least) return leavesEntries(gram, isOpen, least)
    isOpen[pivot] = 0
    for (let a = 0; a < size; a++) {
      if (!isOpen[a]) continue
      const factor = gram[a][pivot] / own
      for (let b = 0; b < size; b++) if (isOpen[b]) gram[a][b] -= factor * gram[pivot][b]
    }
  }
  return false
}

/** Where all diagonal entries are 0, those beside it must be, too. */
function leavesEntries(gram: readonly Float64Array[], isOpen: Uint8Array, least: number): boolean {
  return gram.some(
    (values, a) => isOpen[a] && values.some((value, b) => isOpen[b] && Math.abs(value) > 2 * least),
  )
}
