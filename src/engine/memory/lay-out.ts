/** Where the fields of a structure in the engine's memory are. */

/** Fields that hold a number, by how many bytes they have. */
export const u32 = 4
export const f64 = 8

/** Bytes of a cache line. */
const LINE = 64

/** The byte offset of each field, in the order of the table, and the size of the whole. */
export function layOut(fields: Readonly<Record<string, number>>): {
  offsets: Record<string, number>
  bytes: number
} {
  const offsets: Record<string, number> = {}
  let end = 0
  let alignment = 4
  for (const [name, bytes] of Object.entries(fields)) {
    const unit = bytes === u32 || bytes === f64 ? bytes : LINE
    offsets[name] = Math.ceil(end / unit) * unit
    end = offsets[name] + bytes
    alignment = Math.max(alignment, unit)
  }
  return { offsets, bytes: Math.ceil(end / alignment) * alignment }
}
