import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { DataShelf, fileReference } from '../../src/distributed/data-shelf.node.ts'

const disk = vi.hoisted(() => ({ isFull: false }))
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  // On Linux, whatever is written to /dev/full does not fit.
  const createWriteStream = (path: string) => fs.createWriteStream(disk.isFull ? '/dev/full' : path)
  return { ...fs, createWriteStream }
})

const folder = mkdtempSync(join(tmpdir(), 'hyperplane-shelf-'))
const place = join(folder, 'data')
const outside = join(folder, 'outside')
const referenceTo = (name: string, text: string, path = join('/nowhere', name)) => ({
  ...{ name, path, bytes: text.length },
  sha256: createHash('sha256').update(text).digest('hex'),
})
let server: Server
let address: string
const served: Record<string, string> = { a: 'x'.repeat(600), b: 'y'.repeat(600), 'c d': 'z' }
let requests = 0

beforeAll(async () => {
  mkdirSync(place)
  mkdirSync(outside)
  writeFileSync(join(place, 'good'), 'good')
  writeFileSync(join(place, 'changed'), 'othr')
  writeFileSync(join(outside, 'secret'), 'secret')
  symlinkSync(join(outside, 'secret'), join(place, 'secret'))
  symlinkSync(outside, join(place, 'way-out'))
  server = createServer((request, response) => {
    requests++
    const name = decodeURIComponent((request.url ?? '').slice('/files/'.length))
    const isAllowed = name !== 'locked' || request.headers.authorization === `Basic ${btoa('me:hush')}`
    const text = isAllowed ? served[name] : undefined
    response.statusCode = text === undefined ? 404 : 200
    response.end(text)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  address = `http://127.0.0.1:${(server.address() as { port: number }).port}/files`
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

describe('a shelf', () => {
  it('finds a file by name or by path, with the right content', async () => {
    const shelf = new DataShelf({ places: [place], cache: join(folder, 'c1') })
    expect(await shelf.find(referenceTo('good', 'good'))).toBe(join(place, 'good'))
    const path = join(place, 'good')
    expect(await shelf.find({ ...(await fileReference(path)), name: 'other' })).toBe(path)
  })

  it('says which file has another content, and which is nowhere', async () => {
    const shelf = new DataShelf({ places: [place], cache: join(folder, 'c1') })
    await expect(shelf.find(referenceTo('changed', 'orig'))).rejects.toThrow(
      /data\/changed: not the file that the job needs, whose SHA-256 begins with [0-9a-f]{12}; copy it again/,
    )
    await expect(shelf.find(referenceTo('none', ''))).rejects.toThrow(`none: not in ${place}`)
    await expect(new DataShelf({ cache: join(folder, 'c1') }).find(referenceTo('none', ''))).rejects.toThrow(
      'start it with --data FOLDER',
    )
  })

  it.each([
    ['a link', 'secret', '/nowhere'],
    ['a path', 'x', join(outside, 'secret')],
    ['dots', 'x', join(place, '..', 'outside', 'secret')],
    ['a folder that is a link', 'x', join(place, 'way-out', 'secret')],
  ])('reads nothing outside its folders: %s', async (_, name, path) => {
    const shelf = new DataShelf({ places: [place], cache: join(folder, 'c1') })
    await expect(shelf.find(referenceTo(name, 'secret', path))).rejects.toThrow('not in')
    expect(shelf.counts.bytesRead).toBe(0)
  })

  it('fetches from servers once, into a cache of bounded size', async () => {
    const cache = join(folder, 'c2')
    const shelf = new DataShelf({ places: [address], cache, cacheBytes: 1000 })
    const first = referenceTo('a', served.a)
    expect(await shelf.find(first)).toBe(join(cache, first.sha256))
    const before = requests
    await shelf.find(first)
    expect(requests).toBe(before)
    expect(shelf.counts).toMatchObject({ bytesFetched: 600, cacheHits: 1 })
    await shelf.find(referenceTo('b', served.b))
    expect(readdirSync(cache)).toEqual([referenceTo('b', served.b).sha256])
    expect(await shelf.find(referenceTo('c d', 'z'))).toContain(cache)
    await expect(shelf.find(referenceTo('a', 'w'.repeat(600)))).rejects.toThrow(
      'not the file that the job needs',
    )
    await expect(shelf.find(referenceTo('a', 'short'))).rejects.toThrow('not the file that the job needs')
    await expect(shelf.find(referenceTo('big', 'v'.repeat(1001)))).rejects.toThrow('not in')
    served.big = 'v'.repeat(1001)
    await expect(shelf.find(referenceTo('big', served.big))).rejects.toThrow('raise --cache-limit')
    expect(readdirSync(cache).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  it('says what to do about a full disk, leaves nothing there, and goes on when it is not', async () => {
    const cache = join(folder, 'c4')
    const shelf = new DataShelf({ places: [address], cache })
    const file = referenceTo('a', served.a)
    disk.isFull = true
    await expect(shelf.find(file)).rejects.toThrow(
      `${cache}: no space left on the disk; free some space, or choose another folder with --cache and a lower --cache-limit`,
    )
    disk.isFull = false
    expect(readdirSync(cache)).toEqual([])
    expect(await shelf.find(file)).toBe(join(cache, file.sha256))
  })

  it('shows no user and password of an address', async () => {
    const secret = address.replace('http://', 'http://me:hush@')
    const shelf = new DataShelf({ places: [secret], cache: join(folder, 'c3') })
    served.locked = 'locked'
    expect(await shelf.find(referenceTo('locked', 'locked'))).toContain('c3')
    const failed = await shelf.find(referenceTo('none', '')).catch(({ message }) => message)
    expect(failed).toContain('127.0.0.1')
    expect(failed).not.toContain('hush')
  })
})
