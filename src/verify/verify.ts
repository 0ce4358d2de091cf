/**
 * Recomputes what a model claims, from the model and its training data alone: the problem is stated again, the model's
 * coefficients become its dual point (for models that keep w alone a bound is found by solving the dual), and primal value,
 * dual value, gap and violation are measured from the samples in f64.
 */
import { checkKnown, checkNumber } from '../base/check.ts'
import { ParameterError } from '../base/errors.ts'
import { nextTask } from '../base/pieces.ts'
import type { Dataset, Samples } from '../data/table/dataset.ts'
import { availableThreads } from '../engine/threads/thread-team.ts'
import { type FitTask, runFit } from '../estimators/fitting/fit-runner.ts'
import type { Unlabelled } from '../estimators/parts/estimator.ts'
import type { Model } from '../models/model.ts'
import { solveAllSync } from '../solve/driver/solve-task.ts'
import type { Solved } from '../solve/driver/solved.ts'
import {
  checkClaims,
  impliedClaims,
  isPrimalMethod,
  nearOptimalClaim,
  type VerifiedPart,
  type VerifyResult,
} from './claims.ts'
import { isKernelModel, kernelParts } from './kernel-parts.ts'
import { certificateOf, type Part, Refuted, VectorMissing } from './part.ts'
import { inProblemUnit } from './problem-unit.ts'
import {
  type GivenSettings,
  inSinglePrecision,
  modelSamples,
  restate,
  settingNames,
  settingsOf,
} from './restate.ts'
import { scalingHint } from './scaling-hint.ts'
import { verdictOf } from './verdict.ts'
import { type WeightsModel, weightsParts } from './weights-parts.ts'

/** Options of {@link verify}; the settings are for models whose files do not contain them. */
export interface VerifyOptions extends GivenSettings {
  /**
   * The largest accepted violation for models with a dual point but without a certificate. Default 0.001, the default of
   * svm-train.
   */
  readonly tol?: number
  /**
   * The largest accepted gap, as a fraction of the value. Default: 0.1 (LIBLINEAR's default tolerance) for models without a
   * certificate and a dual point; no limit for others.
   */
  readonly maxGap?: number
  /** Number of threads. Default: all cores; the result is the same for any number. */
  readonly threads?: number
  /** Time limit in seconds for finding a bound, for models without dual variables. Default: no limit. */
  readonly timeLimit?: number
  /** Ends the work and returns what was found, as `timeLimit` does. */
  readonly signal?: AbortSignal
}

/**
 * Recomputes primal value, dual value, gap and violation of a model against its training data, and compares them with what its
 * certificates claim. A model that does not match the data is a result, not an error: `holds` is false, and `verdict` gives
 * the reason.
 *
 * @example
 * const { holds, verdict } = await verify(await readModel('heart.json'), await readDataset('heart.libsvm'))
 */
export async function verify(
  model: Model,
  data: Dataset<unknown> | Unlabelled,
  options: VerifyOptions = {},
): Promise<VerifyResult> {
  const run = verification(model, data, options)
  let step = run.next()
  while (!step.done) {
    if (!step.value) await nextTask()
    step = run.next(step.value && (await runFit(step.value)))
  }
  return step.value
}

/** Like {@link verify}, but synchronous, on the calling thread: for scripts. */
export function verifySync(
  model: Model,
  data: Dataset<unknown> | Unlabelled,
  options: VerifyOptions = {},
): VerifyResult {
  const run = verification(model, data, options)
  let step = run.next()
  while (!step.done) step = run.next(step.value && solveAllSync(step.value))
  return step.value
}

/** Yields what is to be solved, or nothing, to let others have their turn. */
type Verification = Generator<FitTask | undefined, VerifyResult, Solved | undefined>

function* verification(
  given: Model,
  givenData: Dataset<unknown> | Unlabelled,
  options: VerifyOptions,
): Verification {
  const { model, data } = inProblemUnit(given, givenData)
  checkKnown('verify', options, [...settingNames, 'tol', 'maxGap', 'threads', 'timeLimit', 'signal'])
  if (options.tol !== undefined) checkNumber('verify', 'tol', options.tol, { above: 0 })
  if (options.maxGap !== undefined) checkNumber('verify', 'maxGap', options.maxGap, { min: 0 })
  const oneClass = model.type === 'one-class' || model.type === 'linear-one-class'
  if (!data?.samples || (!oneClass && !('labels' in data))) {
    const allowed = '{ samples, labels } from makeDataset(rows, labels)'
    throw new ParameterError('verify', 'data', allowed, data)
  }
  const settings = settingsOf(model, options)
  try {
    const samples = modelSamples(model, data)
    const result = yield* withSettings(model, settings, samples, data, options)
    const singles = inSinglePrecision(settings)
    if (result.holds || model.certificates || !singles) return result
    const other = yield* withSettings(model, singles, samples, data, options)
    if (!other.holds) return result
    return { ...other, remarks: [...other.remarks, 'the settings match when rounded to single precision'] }
  } catch (error) {
    if (!(error instanceof Refuted)) throw error
    return { holds: false, verdict: error.message, parts: [], remarks: [] }
  }
}

function* withSettings(
  model: Model,
  settings: GivenSettings,
  samples: Samples,
  data: Unlabelled,
  options: VerifyOptions,
): Verification {
  const task = restate(model, settings, samples, data)
  const { parts, remarks, needsBound } = partsOf(model, task, samples, data, options)
  const solved = needsBound ? yield withLimits(task, options) : undefined
  // One certificate for very many problems: what it says of the tolerance holds for each.
  const known = model.certificate && { tol: model.certificate.tol }
  const verified: VerifiedPart[] = []
  for (const [p, part] of parts.entries()) {
    yield undefined
    const { found, faults } = part.recompute(certificateOf(solved?.certificates, p, parts.length))
    const certificate = certificateOf(model.certificates, p, parts.length)
    const claims = certificate
      ? checkClaims(certificate, found)
      : impliedClaims(found, { ...known, ...options })
    if (certificate && options.maxGap !== undefined) claims.push(nearOptimalClaim(options.maxGap, found))
    const { bestPrimal, bars, rounding, ambiguous, refuted, gapUnit, ...shown } = found
    const proves = refuted ? 'stationary-point' : 'optimum'
    verified.push({ name: part.name, ...shown, proves, faults, claims })
  }
  const holds = verified.every(
    ({ faults, claims }) => faults.length === 0 && claims.every(({ verdict }) => verdict !== 'fails'),
  )
  return { holds, verdict: verdictOf(verified), parts: verified, remarks }
}

function partsOf(
  model: Model,
  { problem }: FitTask,
  samples: Samples,
  data: Unlabelled,
  { threads = availableThreads() }: VerifyOptions,
): { parts: Part[]; remarks: string[]; needsBound: boolean } {
  if (!isKernelModel(model)) {
    const parts = weightsParts(model as WeightsModel, problem)
    if ((model as WeightsModel).dual) return { parts, remarks: [], needsBound: false }
    const remark =
      'the model contains w but no dual variables: the lower bound on the optimum comes from solving its problem again'
    return { parts, remarks: [remark], needsBound: true }
  }
  const primalMethod =
    model.training?.fromDual === false || (model.certificates?.some(isPrimalMethod) ?? false)
  try {
    const { parts, found } = kernelParts({ model, problem, samples, primalMethod, threads })
    const remarks = found === 'as numbered' ? [] : [foundWords[found]]
    return { parts, remarks, needsBound: primalMethod }
  } catch (error) {
    const hint = error instanceof VectorMissing && scalingHint(model, data)
    throw hint ? new Refuted(`${error.message}; ${hint}`) : error
  }
}

const foundWords = {
  'by value': 'support vectors were matched with the data by their values',
  'by rounded value':
    'support vectors in the file are rounded to 8 digits: they were matched with the data, whose values are used',
}

function withLimits(task: FitTask, { timeLimit, signal, threads }: VerifyOptions): FitTask {
  const limits = {
    ...(timeLimit !== undefined && { timeLimit }),
    ...(signal && { signal }),
    ...(threads !== undefined && { threads }),
  }
  return { ...task, options: { ...task.options, ...limits } }
}
