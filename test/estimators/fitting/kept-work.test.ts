/** What a checkpoint is of, and what is said when it is of something else. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { pack, unpack } from '../../../src/base/packing.ts'
import { checkpointFile } from '../../../src/estimators/fitting/checkpoint-file.node.ts'
import {
  DataError,
  generate,
  LinearSVC,
  ParameterError,
  rbf,
  SVC,
  type SvcModel,
} from '../../../src/index.ts'
import { States, timeless } from '../../suites/checkpoints.ts'

const data = generate('moons', { n: 60, seed: 1 })
const folder = mkdtempSync(join(tmpdir(), 'hyperplane-'))
afterAll(() => rmSync(folder, { recursive: true }))

function begun(): Uint8Array {
  const store = new States()
  new SVC({ C: 1 }).fitSync(data, { checkpoint: store })
  return store.load() as Uint8Array
}

describe('packing', () => {
  it('gives every value back, every bit of it', () => {
    const value = {
      numbers: [0, -0, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 5e-324],
      words: ['', 'ä"\n'],
      flags: [true, null],
      dense: Float64Array.from([1, -0, Number.NaN, 1e300, 2]),
      sparse: Float64Array.from({ length: 100 }, (_, i) => (i % 7 === 0 ? i + 0.1 : 0)),
      signs: Float64Array.from({ length: 9 }, () => -0),
      none: new Float64Array(0),
      whole: Uint32Array.from([0, 0, 0, 4294967295]),
      bytes: Uint8Array.from([1, 2, 3]),
      rounded: Float32Array.from([0.1]),
    }
    expect(unpack(pack(value))).toStrictEqual(value)
    // Wherever the bytes begin.
    const bytes = pack(value)
    const moved = new Uint8Array(bytes.length + 3)
    moved.set(bytes, 3)
    expect(unpack(moved.subarray(3))).toStrictEqual(value)
  })

  it('leaves zeros out', () => {
    expect(pack(new Float64Array(1e5)).length).toBeLessThan(13_000)
  })
})

describe('a checkpoint', () => {
  const state = begun()
  const goOn = (estimator: { fitSync(given: typeof data, options: object): object }, given = data) =>
    estimator.fitSync(given, { checkpoint: new States(state) })

  it('has the result when the fit is over: it is there at once', () => {
    const store = new States(state)
    expect(timeless(new SVC({ C: 1 }).fitSync(data, { checkpoint: store }))).toBe(
      timeless(new SVC({ C: 1 }).fitSync(data)),
    )
    expect(store.states).toHaveLength(0)
  })

  it('goes on with other threads and with more time', () => {
    const model = goOn(new SVC({ C: 1, threads: 1, timeLimit: 100 })) as SvcModel
    const alone = new SVC({ C: 1 }).fitSync(data)
    expect(model.decisionFunction(data.samples)).toEqual(alone.decisionFunction(data.samples))
    expect(model.certificate?.iterations).toBe(alone.certificate.iterations)
  })

  it('is refused for other work, with what is different', () => {
    expect(() => goOn(new SVC({ C: 2 }))).toThrow('C was 1, is 2')
    expect(() => goOn(new SVC({ C: 1, tol: 0.1 }))).toThrow('tol was not given, is 0.1')
    expect(() => goOn(new SVC({ C: 1, kernel: rbf({ gamma: 1 }) }))).toThrow('kernel was not given')
    expect(() => goOn(new LinearSVC({ C: 1 }))).toThrow('estimator was "SVC", is "LinearSVC"')
    const labels = (data.labels as Float64Array).map((label) => -label)
    expect(() => goOn(new SVC({ C: 1 }), { ...data, labels })).toThrow(
      'checkpoint: this checkpoint belongs to different work (other data); use another file, or delete it to start again',
    )
    expect(() => goOn(new SVC({ C: 3 }), { ...data, labels })).toThrow('(other data, C was 1, is 3)')
  })

  it('is refused when a byte of it is wrong, cut off or of another kind', () => {
    const withState = (changed: Uint8Array) => () =>
      new SVC({ C: 1 }).fitSync(data, { checkpoint: new States(changed) })
    for (const at of [30, 60, state.length - 1]) {
      const changed = state.slice()
      changed[at] ^= 1
      expect(withState(changed)).toThrow('this checkpoint is damaged; delete it to start again')
    }
    for (const length of [60, state.length - 1]) {
      expect(withState(state.slice(0, length))).toThrow('this checkpoint is damaged')
    }
    expect(withState(new Uint8Array(0))).toThrow(DataError)
    expect(withState(new TextEncoder().encode('1 1:0.5\n'))).toThrow(
      'checkpoint: this is not a checkpoint of Hyperplane; the file is left unchanged',
    )
    const later = state.slice()
    later.set(new TextEncoder().encode('3'), 'hyperplane-checkpoint '.length)
    expect(withState(later)).toThrow('checkpoint version 3 is not supported; this program reads version 2')
  })

  it('is kept by a store that waits, but not where nobody can', async () => {
    let kept: Uint8Array | undefined
    const store = {
      load: async () => kept,
      save: async (bytes: Uint8Array) => {
        kept = bytes
      },
    }
    const estimator = new SVC({ C: 1 })
    const model = await estimator.fit(data, { checkpoint: store })
    expect(kept).toBeInstanceOf(Uint8Array)
    expect(timeless(await estimator.fit(data, { checkpoint: store }))).toBe(timeless(model))
    expect(() => estimator.fitSync(data, { checkpoint: store })).toThrow(ParameterError)
  })

  it('says what fails when it cannot be saved', async () => {
    const full = () => {
      throw new DataError('no room')
    }
    const store = { load: () => undefined, save: full }
    expect(() => new SVC().fitSync(data, { checkpoint: store })).toThrow('no room')
    const waiting = { load: () => undefined, save: async () => full() }
    await expect(new SVC().fit(data, { checkpoint: waiting })).rejects.toThrow('no room')
    expect(() => new SVC().fitSync(data, { checkpoint: {} as never })).toThrow('load() and save()')
  })
})

describe('checkpointFile', () => {
  it('keeps a fit in a file and clears away what was left behind', () => {
    const path = join(folder, 'fit.checkpoint')
    // No process has this number.
    writeFileSync(join(folder, '.fit.checkpoint.4194305.tmp'), 'half')
    writeFileSync(join(folder, '.fit.checkpoint.x.tmp'), 'not ours')
    const train = () => new SVC({ C: 1 }).fitSync(data, { checkpoint: checkpointFile(path, { every: 0 }) })
    const model = train()
    expect(readFileSync(path, 'latin1')).toMatch(/^hyperplane-checkpoint 2\n[0-9a-f]{32}\n/)
    expect(readdirSync(folder).sort()).toEqual(['.fit.checkpoint.x.tmp', 'fit.checkpoint'])
    expect(timeless(train())).toBe(timeless(model))
  })

  it('says which file cannot be written', () => {
    const missing = join(folder, 'missing', 'fit.checkpoint')
    expect(() => new SVC().fitSync(data, { checkpoint: checkpointFile(missing) })).toThrow(missing)
  })
})
