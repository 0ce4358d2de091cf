/** The flags that say how to train. */
import type { Command } from 'commander'
import { ParameterError } from '../../base/errors.ts'
import type { ClassWeight } from '../../estimators/parts/class-targets.ts'
import type { SvcOptions } from '../../estimators/svc.ts'
import { type SolverName, solverNames } from '../../solve/methods/registry.ts'
import { STANDARD_HELP } from './data-options.ts'
import { addKernelOptions, type KernelFlags, kernelFrom } from './kernel-options.ts'
import { addChoiceOption, addNumberOption, addThreadsOption, type ThreadsFlag } from './option-types.ts'

/** The flags of {@link addTrainingOptions}, as commander hands them over. */
export interface TrainingFlags extends KernelFlags, FitFlags {
  readonly C?: number
}

/** The flags of {@link addFitOptions}, as commander hands them over. */
export interface FitFlags extends ThreadsFlag {
  readonly classWeight?: string
  readonly scale?: 'range' | 'standard'
  readonly tol?: number
  readonly maxIter?: number
  readonly timeLimit?: number
  readonly seed?: number
  readonly cache?: number
}

/** Adds kernel, C, class weights, scaling, tolerance and limits. */
export function addTrainingOptions(command: Command, defaultTimeLimit = 'none'): void {
  addKernelOptions(command)
  addNumberOption(
    command,
    '--C <number>',
    'price of a margin violation; Infinity is a hard margin (default 1)',
  )
  addFitOptions(command, defaultTimeLimit)
}

/** Adds class weights, scaling, tolerance and limits: all that is not a parameter to be tuned. */
export function addFitOptions(command: Command, defaultTimeLimit = 'none'): void {
  command.option('--class-weight <weights>', 'what multiplies C: balanced, or LABEL=WEIGHT,LABEL=WEIGHT')
  const scaling = `scale the features first and keep the scaler in the model (${STANDARD_HELP})`
  addChoiceOption(command, '--scale <kind>', scaling, ['range', 'standard'])
  addNumberOption(
    command,
    '--tol <number>',
    "when a solution counts as solved (default: the solver's, mostly 0.001)",
  )
  addNumberOption(command, '--max-iter <number>', "iterations after which to stop (default: the solver's)")
  addNumberOption(
    command,
    '--time-limit <seconds>',
    `seconds of solving after which to stop (default ${defaultTimeLimit})`,
  )
  addNumberOption(command, '--seed <number>', 'seed of everything random (default 0)')
  addNumberOption(
    command,
    '--cache <megabytes>',
    'memory for kernel rows (default: a quarter of the free memory)',
  )
  addThreadsOption(command)
}

/** Adds `--solver`. */
export function addSolverOption(command: Command): void {
  addChoiceOption(command, '--solver <name>', 'solver (default smo)', solverNames)
}

/** What the flags ask of {@link SVC}. */
export function svcOptionsFrom(command: string, flags: TrainingFlags, solver: SolverName): SvcOptions {
  const { C } = flags
  return {
    kernel: kernelFrom(command, flags),
    solver,
    ...(C !== undefined && { C }),
    ...fitOptionsFrom(command, flags),
  }
}

/** What the flags of {@link addFitOptions} ask of {@link SVC}. */
export function fitOptionsFrom(command: string, flags: FitFlags): SvcOptions {
  const { classWeight, scale, tol, maxIter, timeLimit, seed, cache, threads } = flags
  return {
    ...(classWeight !== undefined && { classWeight: parseClassWeight(command, classWeight) }),
    ...(scale !== undefined && { scaler: scale }),
    ...(tol !== undefined && { tol }),
    ...(maxIter !== undefined && { maxIter }),
    ...(timeLimit !== undefined && { timeLimit }),
    ...(seed !== undefined && { seed }),
    ...(cache !== undefined && { cacheBytes: cache * 1e6 }),
    ...(threads !== undefined && { threads }),
  }
}

function parseClassWeight(command: string, text: string): ClassWeight {
  if (text === 'balanced') return text
  const pairs = text.split(',').map((pair) => {
    const at = pair.lastIndexOf('=')
    const weight = at > 0 ? Number(pair.slice(at + 1) || Number.NaN) : Number.NaN
    if (Number.isNaN(weight)) {
      throw new ParameterError(command, '--class-weight', 'balanced or LABEL=WEIGHT,LABEL=WEIGHT', text)
    }
    return [labelKey(pair.slice(0, at)), weight] as const
  })
  return Object.fromEntries(pairs)
}

/** +1 and 1.0 are the same label as 1. */
function labelKey(text: string): string {
  return text.trim() !== '' && Number.isFinite(Number(text)) ? String(Number(text)) : text
}
