/**
 * Where `fit` does its work. By default on the calling thread, in slices that let other tasks run; an entry point
 * that has threads installs a runner that uses them, so that estimators need not know about threads.
 */
import { slot } from '../../base/slot.ts'
import { type SolverTask, solveAll } from '../../solve/driver/solve-task.ts'
import type { Solved } from '../../solve/driver/solved.ts'

/** One problem to solve, or one for every pair of classes or every class: all that a runner needs. */
export type FitTask = SolverTask

/** Solves a task somewhere. */
export type FitRunner = (task: FitTask) => Promise<Solved>

/** Solves on the calling thread, in slices of a few milliseconds. */
export const runInSlices: FitRunner = solveAll

const active = slot<FitRunner>(runInSlices)

/** Solves a problem where the installed runner does. */
export function runFit(task: FitTask): Promise<Solved> {
  return active.current(task)
}

/** Makes `runner` the one that `fit` uses from now on, and returns the one it replaces. */
export function setFitRunner(runner: FitRunner): FitRunner {
  return active.install(runner)
}
