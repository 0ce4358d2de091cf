/** Cells that come in pieces, with what earlier pieces left, have the bits of cells that come together. */
import { describe, expect, it } from 'vitest'
import { generate } from '../../../src/data/generators/generators.ts'
import { type Dataset, makeDataset } from '../../../src/data/table/dataset.ts'
import type { MeasuredSamples } from '../../../src/engine/jobs/measured-samples.ts'
import { pathBytes } from '../../../src/engine/jobs/path-bytes.ts'
import type { Engine } from '../../../src/engine/memory/engine.ts'
import { NuSVR } from '../../../src/estimators/nu-svr.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { polynomial } from '../../../src/kernels/polynomial.ts'
import { estimatorMaker, type Params, type Tunable } from '../../../src/selection/search/estimator-params.ts'
import type { Unit } from '../../../src/selection/search/executor.ts'
import { gridCells } from '../../../src/selection/search/search-cells.ts'
import { KeptGroups } from '../../../src/selection/share/kept-groups.ts'
import type { SharedGroup } from '../../../src/selection/share/shared-plan.ts'
import { sharedWorkExecutor } from '../../../src/selection/share/shared-work.ts'
import { kFold } from '../../../src/selection/split/splits.ts'

/** Kept groups that remember which matrices were used, and the bytes that the largest took. */
class WatchedGroups extends KeptGroups {
  readonly used = new Set<MeasuredSamples>()
  largest = 0

  override withMatrix<T>(
    group: SharedGroup,
    use: (engine: Engine, measured: MeasuredSamples) => Promise<T>,
  ): Promise<T | undefined> {
    this.largest = Math.max(this.largest, pathBytes(group.samples.ordered.rows, group.paths, 1, true))
    return super.withMatrix(group, (engine, measured) => {
      this.used.add(measured)
      return use(engine, measured)
    })
  }
}

const moons = generate('moons', { n: 150, noise: 0.3, seed: 4 })
const three = makeDataset(
  moons.samples,
  Float64Array.from(moons.labels as Float64Array, (label, i) => (i % 4 === 0 ? 2 : label)),
)
const curve = generate('sine', { n: 120, noise: 0.2, seed: 5 })

interface Search {
  readonly estimator: Tunable
  readonly data: Dataset
  readonly cells: readonly Params[]
}

const searches: Record<string, Search> = {
  'two classes': {
    ...{ estimator: new SVC(), data: moons },
    cells: gridCells({ C: [0.1, 1, 10], gamma: [0.1, 1, 4] }),
  },
  'three classes, scaled by fold': {
    ...{ estimator: new SVC({ scaler: 'standard' }), data: three },
    cells: gridCells({ C: [1, 10], gamma: [0.001, 0.1, 1, 4] }),
  },
  'products, with numbers': {
    ...{ estimator: new NuSVR({ kernel: polynomial({ degree: 2, gamma: 1, coef0: 1 }) }), data: curve },
    cells: gridCells({ C: [0.1, 1], nu: [0.3, 0.6] }),
  },
}

/** Runs units in the given pieces; all that came of them, but for clocks, as text. */
async function run({ estimator, data, cells }: Search, pieces: readonly Unit[][], kept?: KeptGroups) {
  const folds = foldsOf(data)
  const work = { data, folds, cells, make: estimatorMaker(estimator), job: undefined, withTraining: true }
  const found = new Map<string, string>()
  for (const units of pieces) {
    await sharedWorkExecutor({ threads: 1, insist: true, ...(kept && { kept }) }).run(work, units, {
      onResult({ cell, fold, output }) {
        found.set(
          `${cell} ${fold}`,
          JSON.stringify(output, (name, value) => (name === 'seconds' ? 0 : value)),
        )
      },
      onFailure: ({ error }) => {
        throw error
      },
    })
  }
  return new Map([...found].sort())
}

const known = new Map<Dataset, ReturnType<typeof kFold>>()
function foldsOf(data: Dataset) {
  const folds = known.get(data) ?? kFold(data, { folds: 3, stratify: data !== curve })
  known.set(data, folds)
  return folds
}

const unitsOf = ({ cells }: Search): Unit[] =>
  cells.flatMap((_, cell) => [0, 1, 2].map((fold) => ({ cell, fold })))

/** Units by what a job has: the path of a cell, on a fold. */
function jobsOf(search: Search): Unit[][] {
  const jobs = new Map<string, Unit[]>()
  for (const unit of unitsOf(search)) {
    const { C: _, ...others } = search.cells[unit.cell]
    const name = JSON.stringify([others, unit.fold])
    jobs.set(name, [...(jobs.get(name) ?? []), unit])
  }
  return [...jobs.values()]
}

describe('groups that are kept', () => {
  it.each(Object.entries(searches))('%s: have the same bits', async (name, search) => {
    const together = await run(search, [unitsOf(search)])
    expect(together.size).toBe(3 * search.cells.length)
    const kept = new WatchedGroups(1e9)
    expect(await run(search, jobsOf(search), kept)).toEqual(together)
    // One matrix for all jobs, or one for each fold.
    expect(kept.used.size).toBe(name.includes('scaled') ? 3 : 1)
  })

  it('are dropped where there is room for one matrix alone', async () => {
    const search = searches['three classes, scaled by fold']
    const together = await run(search, [unitsOf(search)])
    const jobs = jobsOf(search)
    const watch = async (limit: number) => {
      const kept = new WatchedGroups(limit)
      expect(await run(search, jobs, kept)).toEqual(together)
      return kept
    }
    const ample = await watch(1e9)
    expect(ample.used.size).toBe(3)
    // Room for one of three: as jobs alternate between folds, each makes a matrix anew. Without room there is none to keep.
    expect((await watch(1.5 * ample.largest)).used.size).toBe(jobs.length)
    expect((await watch(0)).used.size).toBe(0)
  })

  it('go with their data', async () => {
    const kept = new KeptGroups(1e9)
    for (const search of [...Object.values(searches), ...Object.values(searches)]) {
      expect(await run(search, jobsOf(search), kept)).toEqual(await run(search, [unitsOf(search)]))
    }
  })
})
