/** What work is kept for: which data, which estimator with which settings. No result depends on anything else. */
import { DataError } from '../../base/errors.ts'
import { contentFingerprint } from '../../base/fingerprint.ts'
import type { Labels, RawSamples } from '../../data/table/dataset.ts'
import { currentBuild, engineExists } from '../../engine/memory/engine-build.ts'
import type { AnyKernel } from '../../kernels/kernel.ts'
import type { Job } from './kept-work.ts'

/** The data, as far as results depend on it. */
interface FitData {
  readonly samples: RawSamples
  readonly labels?: Labels
  readonly weights?: Float64Array | undefined
}

/** What an estimator, one of ours or any with `options`, learns from data, beginning with a model if one is given. */
export function fitJob(estimator: object, { samples, labels, weights }: FitData, start?: object): Job {
  const { options = {} } = estimator as { readonly options?: Readonly<Record<string, unknown>> }
  // Threads change nothing, and more time only lets the same work continue.
  const { kernel, threads, timeLimit, ...others } = options
  return {
    data: dataFingerprint({ samples, labels, weights }),
    estimator: estimator.constructor.name,
    ...others,
    ...(kernel !== undefined && { kernel: (kernel as AnyKernel).spec }),
    ...(start && { start: contentFingerprint(startingPoint(start)) }),
    engine: engineExists() ? currentBuild() : 'none',
  }
}

/** What a model says, without how it came about. */
function startingPoint(model: object): object {
  const { coef, biases, dual } = model as Readonly<Record<string, unknown>>
  return { coef, biases, dual }
}

function dataFingerprint(data: object): string {
  try {
    return contentFingerprint(data)
  } catch (error) {
    throw new DataError(
      'samples must be values that JSON can represent, so that the data can be identified',
      {
        cause: error,
      },
    )
  }
}
