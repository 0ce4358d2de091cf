/** The thread that `fit` works on: one problem after the other, each solved in slices so that an abort gets through. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { slot } from '../base/slot.ts'
import { withEngine } from '../engine/memory/engine.ts'
import { engineExists, forgoEngine } from '../engine/memory/engine-build.ts'
import { kernelFromSpec } from '../kernels/kernel-from-spec.ts'
import { Checkpoint } from '../solve/driver/checkpoint.ts'
import type { RunOptions } from '../solve/driver/run.ts'
import { type SolverTask, solveAll } from '../solve/driver/solve-task.ts'
import type { Solved } from '../solve/driver/solved.ts'
import type { SmoStep } from '../solve/dual/pair-step.ts'
import { solverNamed } from '../solve/methods/registry.ts'
import { packError } from './error-transfer.ts'
import type { FitCommand, FitJob, FitReport, PackedTask } from './fit-messages.ts'
import { useNodeResources } from './node-resources.node.ts'
import { useWorkerData } from './worker-data.node.ts'

/** Steps of a message, at most, as one per step would cost more than the step; and how long a step may wait: a twentieth of a second. */
const STEPS_PER_MESSAGE = 256
const STEP_DELAY_MS = 50

useNodeResources()
useWorkerData(workerData)
const port = parentPort as MessagePort
const abort = slot(new AbortController())

port.on('message', async (command: FitCommand) => {
  if (command.kind === 'abort') {
    abort.current.abort()
    return
  }
  abort.install(new AbortController())
  if (!command.job.engine) forgoEngine()
  try {
    report({ kind: 'done', solved: await solveJob(command.job, abort.current.signal) })
  } catch (error) {
    report({ kind: 'failed', error: packError(error) })
  }
})

report({ kind: 'ready', engine: hasEngine() })

/** Makes an engine, which is kept: that there is memory for a small one says little. */
function hasEngine(): boolean {
  try {
    return engineExists() && withEngine(1, () => true)
  } catch {
    return false
  }
}

async function solveJob(job: FitJob, signal: AbortSignal): Promise<Solved> {
  const { wantsProgress, wantsSteps, checkpoint: kept } = job
  const steps = new StepQueue()
  const options: RunOptions = {
    ...job.options,
    signal,
    ...(kept && { checkpoint: new Checkpoint(kept.entries, kept.everyMs, reportKept) }),
    ...(wantsProgress && { onProgress: (progress) => report({ kind: 'progress', progress }) }),
    ...(wantsSteps && { onStep: (step) => steps.add(step) }),
  }
  const solved = await solveAll(unpackTask(job.task, options))
  steps.flush()
  return solved
}

function unpackTask(
  { problem, kernel, solver, solverOptions, turns }: PackedTask,
  options: RunOptions,
): SolverTask {
  return {
    problem: { ...problem, ...(kernel && { kernel: kernelFromSpec(kernel) }) } as SolverTask['problem'],
    solver: solverNamed(solver),
    solverOptions,
    options,
    turns,
  }
}

/** Steps come by the thousand: they travel together. */
class StepQueue {
  private steps: SmoStep[] = []
  private since = 0

  add(step: SmoStep): void {
    const now = performance.now()
    if (this.steps.length === 0) this.since = now
    // The solver uses one object for all its steps.
    this.steps.push({ ...step })
    if (this.steps.length === STEPS_PER_MESSAGE || now - this.since > STEP_DELAY_MS) this.flush()
  }

  flush(): void {
    if (this.steps.length > 0) report({ kind: 'steps', steps: this.steps })
    this.steps = []
  }
}

function reportKept(name: string, packed: Uint8Array): void {
  report({ kind: 'keep', name, packed })
}

function report(message: FitReport): void {
  port.postMessage(message)
}
