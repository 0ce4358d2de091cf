/** How the driver of solvers (./run.ts) keeps a run in a checkpoint. */
import type { StopReason } from '../../certify/certificate.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { TracePoint } from './trace.ts'

const NAME = 'run'

/** A run: what the solver says of itself, and what the driver keeps beside it. */
export interface SavedRun {
  readonly solver: object
  readonly random: readonly number[]
  readonly spentMs: number
  readonly nextTrace: number
  readonly nextDoubt: number
  readonly trace: readonly TracePoint[]
}

/** The run that a checkpoint holds. */
export function savedRun(checkpoint: Checkpoint | undefined): SavedRun | undefined {
  return checkpoint?.get(NAME) as SavedRun | undefined
}

/** The result of the run that a checkpoint holds, if that is over. */
export function savedResult<R extends object>(checkpoint: Checkpoint): R | undefined {
  return (checkpoint.get(NAME) as { readonly result?: R } | undefined)?.result
}

/** Keeps the result of a run in place of the run. */
export function keepResult(checkpoint: Checkpoint, result: object): void {
  checkpoint.put(NAME, { result })
}

/** Whether a run that was stopped for this reason would have gone on with more time. */
export function isCutShort(stop: StopReason | undefined): boolean {
  return stop === 'aborted' || stop === 'time-limit'
}

/** Keeps a run when it is time to, or when it has been cut short; not where the solver is in the middle of something. */
export function keepRun(
  checkpoint: Checkpoint,
  state: { readonly iteration: number; snapshot?: (() => object | undefined) | undefined },
  stop: StopReason | undefined,
  driver: () => Omit<SavedRun, 'solver'>,
): void {
  if (!checkpoint.isDue && !(isCutShort(stop) && state.iteration > 0)) return
  const solver = state.snapshot?.()
  if (solver) checkpoint.put(NAME, { solver, ...driver() } satisfies SavedRun)
}
