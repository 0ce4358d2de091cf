import { afterEach, expect, test } from 'vitest'
import { generate } from '../../../src/data/generators/generators.ts'
import { type FitTask, runInSlices, setFitRunner } from '../../../src/estimators/fitting/fit-runner.ts'
import { SVC } from '../../../src/estimators/svc.ts'

afterEach(() => {
  setFitRunner(runInSlices)
})

const moons = generate('moons', { n: 30, seed: 1 })

test('fit goes through the runner that is installed, fitSync does not', async () => {
  const tasks: FitTask[] = []
  const replaced = setFitRunner((task) => {
    tasks.push(task)
    return runInSlices(task)
  })
  expect(replaced).toBe(runInSlices)
  new SVC({ C: 2 }).fitSync(moons)
  expect(tasks).toEqual([])
  const signal = new AbortController().signal
  await new SVC({ C: 2, seed: 9, tol: 0.01 }).fit(moons, { signal })
  expect(tasks.length).toBe(1)
  expect(tasks[0]).toMatchObject({
    solver: { name: 'smo' },
    solverOptions: {},
    options: { seed: 9, tol: 0.01, signal },
    problem: { C: new Float64Array(30).fill(2), bias: 'free', loss: 'hinge', samples: moons.samples },
  })
})

test('slices let other tasks run', async () => {
  const data = generate('checkerboard', { n: 4000, seed: 1 })
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  await new SVC({ C: 1e4, timeLimit: 1 }).fit(data)
  clearInterval(timer)
  expect(turns).toBeGreaterThan(0)
})
