/** A journal on a disk that takes a few bytes at a time, and on one that is full. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { generate } from '../../../src/data/generators/generators.ts'
import { SVC } from '../../../src/estimators/svc.ts'
import { type EstimatorSpec, estimatorSpec } from '../../../src/selection/search/estimator-params.ts'
import { Journal } from '../../../src/selection/search/journal.node.ts'
import { makeJob } from '../../../src/selection/search/tuning-job.ts'

/** How many bytes a call may write, and how many are left on the disk. */
const disk = vi.hoisted(() => ({ most: Number.POSITIVE_INFINITY, left: Number.POSITIVE_INFINITY }))

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  return {
    ...fs,
    writeSync(file: number, bytes: Uint8Array, from = 0): number {
      if (disk.left === 0) {
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
          code: 'ENOSPC',
          syscall: 'write',
        })
      }
      const length = Math.min(bytes.length - from, disk.most, disk.left)
      disk.left -= length
      return fs.writeSync(file, bytes, from, length)
    },
  }
})

const folder = mkdtempSync(join(tmpdir(), 'hyperplane-journal-'))
afterAll(() => rmSync(folder, { recursive: true }))
beforeEach(() => {
  Object.assign(disk, { most: Number.POSITIVE_INFINITY, left: Number.POSITIVE_INFINITY })
})

const spec = estimatorSpec(new SVC()) as EstimatorSpec
const job = await makeJob(generate('moons', { n: 20 }), spec, { kind: 'k-fold', folds: 3, seed: 2 }, [])

it('writes whole lines, a few bytes at a time', async () => {
  disk.most = 7
  const path = join(folder, 'short')
  const journal = await Journal.open(path, job, 'accuracy')
  for (let fold = 0; fold < 3; fold++) journal.add({ C: 1 }, fold, { score: fold / 3, seconds: 1 })
  journal.close()
  const again = await Journal.open(path, job, 'accuracy')
  expect(again.known).toBe(3)
  again.close()
})

it('takes back what it got to write of a line, and names itself', async () => {
  const path = join(folder, 'full')
  const journal = await Journal.open(path, job, 'accuracy')
  journal.add({ C: 1 }, 0, { score: 0.5, seconds: 1 })
  const before = readFileSync(path, 'utf8')
  disk.left = 30
  expect(() => journal.add({ C: 1 }, 1, { score: 0.5, seconds: 1 })).toThrow(
    `${path}: no space left on the disk`,
  )
  expect(readFileSync(path, 'utf8')).toBe(before)
  disk.left = Number.POSITIVE_INFINITY
  journal.add({ C: 1 }, 2, { score: 0.5, seconds: 1 })
  journal.close()
  const again = await Journal.open(path, job, 'accuracy')
  expect([again.known, again.get({ C: 1 }, 1)]).toEqual([2, undefined])
  again.close()
})
