/**
 * Where a worker finds the files that jobs name. Who runs the worker says where it may look: folders, and addresses of
 * web servers. A job says a name and a SHA-256, and gets no other file than that: nothing outside the folders, whatever
 * links or dots a path has, and nothing whose content is another. What came from a server is kept in a cache of bounded size.
 */
import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, realpath, rename, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { basename, join, resolve, sep } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { explainFileError } from '../data/files/file-error.node.ts'
import { type FileReference, RefusalError } from './job-message.ts'

/** Options of {@link DataShelf}. */
export interface DataShelfOptions {
  /** Folders, and addresses that begin with http:// or https://, that files are looked for in, in this order. */
  readonly places?: readonly string[]
  /** The folder of the cache. Default: one in the system's folder for temporary files. */
  readonly cache?: string
  /** Bytes of the cache at most. Default: 10 GB. */
  readonly cacheBytes?: number
}

/** What the shelf has done so far. */
export interface ShelfCounts {
  bytesRead: number
  bytesFetched: number
  cacheHits: number
}

/** Bytes of downloads that are kept, unless chosen: a disk of a small machine has room for them. */
const CACHE_BYTES = 10e9
/** How long a server may take to begin its answer. */
const FETCH_MS = 60_000

/** Where a worker finds the files that jobs name: nothing outside its folders, and nothing of another SHA-256. */
export class DataShelf {
  readonly counts: ShelfCounts = { bytesRead: 0, bytesFetched: 0, cacheHits: 0 }
  readonly places: readonly string[]
  private readonly cache: string
  private readonly limit: number
  /** Files whose content has been checked: path, size and time of change stand for it. */
  private readonly checked = new Map<string, string>()
  private readonly underWay = new Map<string, Promise<string>>()

  constructor(options: DataShelfOptions = {}) {
    const { places = [], cache = join(tmpdir(), `hyperplane-cache-${userInfo().username}`) } = options
    this.places = places.map((place) => (isAddress(place) ? place : resolve(place)))
    this.cache = resolve(cache)
    this.limit = options.cacheBytes ?? CACHE_BYTES
  }

  /** The path of a file with this content, by its name or as `within` a place; a RefusalError says where it was looked for, and what helps. */
  find(file: FileReference, within = file.name): Promise<string> {
    // Several jobs may need the same file: it is looked for once.
    const known = this.underWay.get(file.sha256)
    if (known) return known
    const search = this.search(file, within).finally(() => this.underWay.delete(file.sha256))
    this.underWay.set(file.sha256, search)
    return search
  }

  private async search(file: FileReference, within: string): Promise<string> {
    const cached = join(this.cache, file.sha256)
    if (await this.hasContent(cached, file)) {
      this.counts.cacheHits++
      await utimes(cached, new Date(), new Date()).catch(() => {})
      return cached
    }
    const others: string[] = []
    for (const place of this.places) {
      if (isAddress(place)) {
        for (const name of new Set([within, file.name])) {
          const fetched = await this.fetch(place, name, file, others)
          if (fetched) return fetched
        }
        continue
      }
      for (const path of [resolve(file.path), join(place, within), join(place, file.name)]) {
        const inside = await pathInside(place, path)
        if (inside === undefined) continue
        if (await this.hasContent(inside, file)) return inside
        others.push(inside)
      }
    }
    throw new RefusalError(this.missing(file, [...new Set(others)]))
  }

  private missing({ name, sha256 }: FileReference, others: readonly string[]): string {
    if (others.length > 0) {
      return `${others.join(', ')}: not the file that the job needs, whose SHA-256 begins with ${sha256.slice(0, 12)}; copy it again from where the command runs`
    }
    if (this.places.length === 0)
      return `${name}: this worker has no data folder; start it with --data FOLDER, or --data https://HOST/FOLDER/`
    return `${name}: not in ${this.places.map(shownPlace).join(', ')}; put it there, or start the worker with --data FOLDER`
  }

  private async hasContent(path: string, { sha256, bytes }: FileReference): Promise<boolean> {
    const found = await stat(path).catch(() => undefined)
    if (!found?.isFile() || found.size !== bytes) return false
    const key = `${path} ${found.size} ${found.mtimeMs} ${found.ino}`
    if (this.checked.get(key) === sha256) return true
    const hash = await hashOf(path).catch((error) => {
      throw new RefusalError((explainFileError(path, error) as Error).message)
    })
    this.counts.bytesRead += bytes
    this.checked.set(key, hash)
    return hash === sha256
  }

  /** Fetches a file into the cache; undefined where the server has none of that name. */
  private async fetch(
    place: string,
    name: string,
    file: FileReference,
    others: string[],
  ): Promise<string | undefined> {
    const path = name.split(sep).map(encodeURIComponent).join('/')
    const address = new URL(path, place.endsWith('/') ? place : `${place}/`)
    const shown = shownPlace(address.href)
    let answer: Response
    try {
      const headers = authorization(address)
      answer = await fetch(address, { headers, signal: AbortSignal.timeout(FETCH_MS) })
    } catch (error) {
      const { message, cause } = error as Error & { cause?: Error }
      throw new RefusalError(`${shown}: no response (${cause?.message ?? message})`)
    }
    if (answer.status === 404 || !answer.body) return undefined
    if (!answer.ok)
      throw new RefusalError(`${shown}: the server answers ${answer.status} ${answer.statusText}`)
    await this.makeRoom(file.bytes)
    const target = join(this.cache, file.sha256)
    const beside = `${target}.${process.pid}.part`
    const hash = createHash('sha256')
    try {
      await pipeline(
        Readable.fromWeb(answer.body as never),
        hashing(hash, file.bytes),
        createWriteStream(beside),
      )
      if (hash.digest('hex') !== file.sha256) {
        others.push(shown)
        await rm(beside, { force: true })
        return undefined
      }
      await rename(beside, target)
    } catch (error) {
      await rm(beside, { force: true }).catch(() => {})
      if (error instanceof TooLong) {
        others.push(shown)
        return undefined
      }
      const { message } = explainFileError(this.cache, error) as Error
      throw new RefusalError(
        /no space/.test(message)
          ? `${message}; free some space, or choose another folder with --cache and a lower --cache-limit`
          : `${shown}: ${message}`,
      )
    }
    this.counts.bytesFetched += file.bytes
    return target
  }

  /** Removes what was used longest ago until this many bytes are free within the limit. */
  private async makeRoom(bytes: number): Promise<void> {
    if (bytes > this.limit) {
      throw new RefusalError(
        `a file of ${(bytes / 1e9).toPrecision(2)} GB exceeds the cache of this worker (${this.limit / 1e9} GB): raise --cache-limit`,
      )
    }
    try {
      await mkdir(this.cache, { recursive: true })
      const names = (await readdir(this.cache)).filter((name) => /^[0-9a-f]{64}$/.test(name))
      const files = await Promise.all(
        names.map(async (name) => {
          const path = join(this.cache, name)
          const found = await stat(path).catch(() => undefined)
          return { path, size: found?.size ?? 0, used: found?.mtimeMs ?? 0 }
        }),
      )
      let total = files.reduce((sum, { size }) => sum + size, 0)
      for (const { path, size } of files.sort((a, b) => a.used - b.used)) {
        if (total + bytes <= this.limit) break
        await rm(path, { force: true })
        total -= size
      }
    } catch (error) {
      throw new RefusalError((explainFileError(this.cache, error) as Error).message)
    }
  }
}

class TooLong extends Error {}

/** Passes bytes on, takes their hash, and stops where there are more than expected. */
function hashing(hash: Hash, most: number): Transform {
  let seen = 0
  return new Transform({
    transform(chunk: Uint8Array, _, done) {
      seen += chunk.length
      hash.update(chunk)
      done(seen > most ? new TooLong() : null, chunk)
    },
  })
}

/** The real path, where that is within the real folder; undefined where it is outside, or not there. */
async function pathInside(folder: string, path: string): Promise<string | undefined> {
  try {
    const [home, found] = await Promise.all([realpath(folder), realpath(path)])
    return found.startsWith(home.endsWith(sep) ? home : home + sep) ? found : undefined
  } catch {
    return undefined
  }
}

function isAddress(place: string): boolean {
  return /^https?:\/\//.test(place)
}

/** User and password of an address as a header, and taken from it: requests must not have them. */
function authorization(address: URL): Record<string, string> {
  const { username, password } = address
  if (username === '' && password === '') return {}
  address.username = ''
  address.password = ''
  const words = [username, password].map(decodeURIComponent).join(':')
  return { authorization: `Basic ${Buffer.from(words).toString('base64')}` }
}

/** An address without user, password and query, which may be secrets. */
function shownPlace(place: string): string {
  if (!isAddress(place)) return place
  const { protocol, host, pathname } = new URL(place)
  return `${protocol}//${host}${pathname}`
}

/** What jobs say of a file: its name, and the hash of its content. */
export async function fileReference(path: string): Promise<FileReference> {
  try {
    const real = await realpath(path)
    const { size } = await stat(real)
    return { name: basename(path), path: real, sha256: await hashOf(real), bytes: size }
  } catch (error) {
    throw explainFileError(path, error)
  }
}

/** SHA-256 of a file, in hexadecimal. */
async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
