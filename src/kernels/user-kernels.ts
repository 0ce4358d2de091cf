/**
 * Kernels made of the user's own functions: any k(x, z), an explicit φ, a real f. Their samples may be anything
 * (strings, trees …). Where the sample set is a matrix, dense or sparse, the function receives each row as a
 * Float64Array with its zeros; when two sets differ in width, the narrower one is filled up with zeros.
 *
 * A function cannot be written to a file: the kernel's spec holds its name, and `kernelFromSpec` takes the function.
 */
import { checkKnown } from '../base/check.ts'
import { DataError, ParameterError, show } from '../base/errors.ts'
import type { Samples } from '../data/table/dataset.ts'
import type { Kernel } from './kernel.ts'
import { linear } from './linear.ts'
import { asList, asVectors, commonWidth } from './vectors.ts'

/** Options of kernels that are defined by a function. */
export interface NamedFunction {
  /** Stands for the function in specs and model files. Default: the function's own name. */
  readonly name?: string
}

/**
 * The kernel that calls `evaluate(x, z)` for each pair. Use `checkKernel` to see whether it can be a kernel at all.
 *
 * @example
 * const same = custom((a: string, b: string) => Number(a[0] === b[0]), { name: 'same-initial' })
 * await new SVC({ kernel: same }).fit(makeSampleSet(['tea', 'tee', 'cup'], [1, 1, -1]))
 */
export function custom<S = Float64Array>(
  evaluate: (x: S, z: S) => number,
  options: NamedFunction = {},
): Kernel<S> {
  const name = nameOf('custom', evaluate, options)
  const who = `custom kernel "${name}"`
  const kernel: Kernel<S> = {
    spec: { kind: 'custom', name },
    portable: false,
    resolve: () => kernel,
    between(a, b) {
      const width = commonWidth(a, b)
      const queries = asList(a, width)
      const targets = asList(b, width)
      const rows = queries.length
      const cols = targets.length
      return {
        rows,
        cols,
        row(i, out, from = 0) {
          const x = queries[i]
          for (let j = from; j < cols; j++) {
            const value = evaluate(x, targets[j])
            if (!Number.isFinite(value)) throw notFinite(who, value, i, j)
            out[j] = value
          }
        },
      }
    },
    diagonal(samples) {
      return Float64Array.from(asList(samples, commonWidth(samples, samples)), (x, i) => {
        const value = evaluate(x, x)
        if (!Number.isFinite(value)) throw notFinite(who, value, i, i)
        return value
      })
    },
  }
  return kernel
}

/**
 * ⟨φ(x), φ(z)⟩ for an explicit map φ to vectors of one length; each sample is mapped once, not once per pair.
 *
 * @example
 * const quadratic = featureMap(([x, y]: Float64Array) => [x * x, x * y, y * y], { name: 'quadratic' })
 */
export function featureMap<S = Float64Array>(
  phi: (x: S) => ArrayLike<number>,
  options: NamedFunction = {},
): Kernel<S> {
  const name = nameOf('featureMap', phi, options)
  const map = (samples: Samples<S>, width: number) =>
    asVectors(
      `feature map "${name}"`,
      asList(samples, width).map((x) => phi(x)),
    )
  const inner = linear()
  const kernel: Kernel<S> = {
    spec: { kind: 'feature-map', name },
    portable: false,
    resolve: () => kernel,
    between(a, b) {
      const width = commonWidth(a, b)
      const queries = map(a, width)
      return inner.between(queries, a === b ? queries : map(b, width))
    },
    diagonal: (samples) => inner.diagonal(map(samples, commonWidth(samples, samples))),
  }
  return kernel
}

/** f(x) · f(z) for a real function f: the kernel of the one feature f. */
export function rankOne<S = Float64Array>(f: (x: S) => number, options: NamedFunction = {}): Kernel<S> {
  const name = nameOf('rankOne', f, options)
  const { between, diagonal } = featureMap((x: S) => [f(x)], { name })
  const kernel: Kernel<S> = {
    spec: { kind: 'rank-one', name },
    portable: false,
    resolve: () => kernel,
    between,
    diagonal,
  }
  return kernel
}

function nameOf(who: string, given: unknown, options: NamedFunction): string {
  if (typeof given !== 'function') throw new ParameterError(who, 'the kernel', 'a function', given)
  checkKnown(who, options, ['name'])
  const name = options.name ?? given.name
  if (typeof name !== 'string' || name === '') {
    throw new ParameterError(who, 'name', 'a non-empty string, as the function has no name', name)
  }
  return name
}

function notFinite(who: string, value: unknown, i: number, j: number): DataError {
  return new DataError(
    `${who} returned ${show(value)} for samples ${i} and ${j}; it must return finite numbers`,
  )
}
