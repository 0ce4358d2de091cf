/** The fields of an object that a snapshot of a solver holds, taken and put back. */

/** The same fields, their typed arrays copied. */
export function copyFields<T extends object>(fields: T): T {
  const copies = Object.entries(fields).map(([name, value]) => [name, isArray(value) ? value.slice() : value])
  return Object.fromEntries(copies) as T
}

/** Puts saved fields back. An array is filled in place where the length fits: others may hold it too. */
export function restoreFields(target: object, saved: object): void {
  const fields = target as Record<string, unknown>
  for (const [name, value] of Object.entries(saved)) {
    const before = fields[name]
    if (isArray(before) && isArray(value) && before.length === value.length) before.set(value)
    else fields[name] = value
  }
}

function isArray(value: unknown): value is Float64Array {
  return ArrayBuffer.isView(value)
}
