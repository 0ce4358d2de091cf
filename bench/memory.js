// Remembers what takes long to compute and never changes, in a JSON file of the cache folder.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { cached } from './places.js'

/** The value kept under `key` in the file `name`; else what `compute` finds, kept unless it is undefined. */
export async function remember(name, key, compute) {
  const path = cached(name)
  const known = read(path)[key]
  if (known !== undefined) return known
  const value = await compute()
  if (value !== undefined) {
    // Another benchmark may have written meanwhile, and may be reading now.
    const beside = `${path}.${process.pid}`
    writeFileSync(beside, `${JSON.stringify({ ...read(path), [key]: value }, null, 1)}\n`)
    renameSync(beside, path)
  }
  return value
}

function read(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
}
