/** JSON with the names of every object in order: equal values have equal text. `replace` may put parts in other words first. */
export function canonicalJson(from: unknown, replace = (part: unknown): unknown => part): string {
  return JSON.stringify(from, (_, given: unknown) => {
    const part = replace(given)
    if (typeof part === 'number' && !Number.isFinite(part)) return String(part)
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
  })
}
