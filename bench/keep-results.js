// Results as a file.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes results as JSON; the folder is made if need be. */
export function keepResults(results, path) {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, `${JSON.stringify(results, rounded, 1)}\n`)
}

/** Six digits are more than a clock knows; objectives keep all of theirs. */
function rounded(key, value) {
  const exact = ['objective', 'dual', 'gamma'].includes(key)
  return typeof value === 'number' && !Number.isInteger(value) && !exact
    ? Number(value.toPrecision(6))
    : value
}
