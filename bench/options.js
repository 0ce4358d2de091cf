// Options that the commands of this folder share.

/** Flags of every benchmark beside peers, for `parseArgs`. */
export const benchmarkFlags = {
  help: { type: 'boolean' },
  only: { type: 'string' },
  runs: { type: 'string' },
  budget: { type: 'string' },
  'time-limit': { type: 'string' },
  data: { type: 'string' },
  threads: { type: 'string' },
  'no-peers': { type: 'boolean' },
  'no-install': { type: 'boolean' },
  out: { type: 'string' },
}

/** The flag of a name as a number above 0, or the fallback. */
export function positive(flags, name, fallback) {
  if (flags[name] === undefined) return fallback
  const value = Number(flags[name])
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0, got ${flags[name]}`)
  return value
}

/** Those of `list` whose name is in the flag, a list with commas; all of them without it. */
export function chosen(flags, flag, list, what) {
  if (flags[flag] === undefined) return list
  return flags[flag].split(',').flatMap((name) => {
    const found = list.filter((candidate) => candidate.name === name)
    if (found.length === 0) {
      throw new Error(
        `--${flag}: there is no ${what} ${name}; there are ${list.map((one) => one.name).join(', ')}`,
      )
    }
    return found
  })
}
