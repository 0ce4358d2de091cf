import { describe, expect, it } from 'vitest'
import {
  type CellsJob,
  LARGEST_JOB,
  packResult,
  parseSearch,
  parseUnit,
  RefusalError,
  unitId,
  unpackResult,
} from '../../src/distributed/job-message.ts'
import { queueAddress } from '../../src/distributed/queue-address.node.ts'

const job: CellsJob = {
  format: 'hyperplane-unit',
  version: 1,
  kind: 'cells',
  library: '0.1.0',
  engine: 'simd',
  search: 'a'.repeat(64),
  cells: [{ C: 1 }],
  units: [{ cell: 0, fold: 0 }],
  shared: true,
  cacheBytes: 1e9,
  withTraining: false,
  countSupport: false,
}

describe('jobs', () => {
  it('are what they were, and are named by what they say', async () => {
    expect(parseUnit(JSON.parse(JSON.stringify(job)))).toEqual(job)
    const turned = Object.fromEntries(Object.entries(job).reverse()) as CellsJob
    expect(await unitId(turned)).toBe(await unitId(job))
    expect(await unitId({ ...job, cells: [{ C: 2 }] })).not.toBe(await unitId(job))
  })

  it.each([
    ['no job', {}, 'this is not a job'],
    ['a kind that is not known', { ...job, kind: 'eval' }, 'kind must be one of cells, pass, got "eval"'],
    ['a field that is not known', { ...job, code: 'process.exit()' }, 'has an unknown field "code"'],
    ['a hash that is none', { ...job, search: '../../etc/passwd' }, 'must be a SHA-256'],
    ['too many bytes', { ...job, cells: [{ C: 'x'.repeat(LARGEST_JOB) }] }, 'at most 1048576 bytes'],
    ['no unit', { ...job, units: [] }, 'units: must have 1 or more'],
  ])('are refused: %s', (_, value, message) => {
    expect(() => parseUnit(value)).toThrow(message)
  })

  it('of another version are left to others', () => {
    expect(() => parseUnit({ ...job, version: 2 })).toThrow(RefusalError)
    expect(() => parseUnit({ ...job, version: 2 })).toThrow('run the same version of Hyperplane everywhere')
  })

  it.each(['..', '.', 'a/b', '/etc/passwd', 'a\\b', 'a\0b', ''])(
    'name no file outside a folder: %j',
    (name) => {
      const file = { name, path: '/x', sha256: 'a'.repeat(64), bytes: 1 }
      const text = JSON.stringify({ format: 'hyperplane-search', version: 1, job: {}, file, read: {} })
      expect(() => parseSearch(text)).toThrow('file.name: must be the name of a file')
    },
  )

  it('have results that belong to them', () => {
    const value = { decisions: Float64Array.of(1 / 3, -0, Number.NaN), list: ['a'] }
    const bytes = packResult('b'.repeat(64), value)
    expect(unpackResult('b'.repeat(64), bytes)).toEqual(value)
    expect(() => unpackResult('c'.repeat(64), bytes)).toThrow('not the result of job cccccccccccc')
  })
})

describe('addresses', () => {
  it('keep user and password to themselves', () => {
    const address = queueAddress('worker', 'rediss://me:s%40cret@host:7000/3', {})
    expect(address).toMatchObject({ username: 'me', password: 's@cret', port: 7000, database: 3, tls: true })
    expect(address.shown).toBe('rediss://host:7000/3')
    const environment = { HYPERPLANE_QUEUE_USER: 'you', HYPERPLANE_QUEUE_PASSWORD: 'hush' }
    expect(queueAddress('worker', 'redis://host', environment)).toMatchObject({
      username: 'you',
      password: 'hush',
    })
  })

  it.each([
    'http://host',
    'redis://',
    'host:6379',
    'redis://me:secret@host/x',
    'redis://me:secret@host/1?x=1',
  ])('must be addresses of Redis: %s', (text) => {
    expect(() => queueAddress('worker', text, {})).toThrow(
      'worker: queue must be an address such as redis://',
    )
    expect(() => queueAddress('worker', text, {})).not.toThrow('secret')
  })
})
