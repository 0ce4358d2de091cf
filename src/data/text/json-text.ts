import { FormatError } from '../../base/errors.ts'

/** Models and scalers have six levels, and kernels made of kernels a few more. What reads them calls itself for each. */
const mostLevels = 100

/** The value of a JSON text; `what` is said before the problem, and `file` names the source in errors. */
export function parseJson(text: string, what: string, file: string | undefined): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new FormatError(`${what}: ${(error as Error).message}`, { file })
  }
  if (isDeeper(value, mostLevels)) {
    throw new FormatError(`${what}: it is nested more than ${mostLevels} levels deep`, { file })
  }
  return value
}

/** Whether objects and arrays contain each other more than `levels` deep. Level by level: no stack can overflow. */
function isDeeper(value: unknown, levels: number): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true
    const next: unknown[] = []
    for (const parent of level) {
      if (typeof parent !== 'object' || parent === null) continue
      for (const child of Array.isArray(parent) ? parent : Object.values(parent)) {
        if (typeof child === 'object' && child !== null) next.push(child)
      }
    }
    level = next
  }
  return false
}
