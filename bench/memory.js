// Remembers what takes long to compute and never changes, in a JSON file of the cache folder.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cached } from './places.js'

/** The value kept under `key` in the file `name`; else what `compute` finds, kept unless it is undefined. */
export async function remember(name, key, compute) {
  const path = cached(name)
  const known = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  if (known[key] !== undefined) return known[key]
  const value = await compute()
  if (value !== undefined) {
    known[key] = value
    writeFileSync(path, `${JSON.stringify(known, null, 1)}\n`)
  }
  return value
}
