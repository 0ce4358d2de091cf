/** Where the fields of a structure in the engine's memory are. */

/** What there is to know of a field: its type, or how many bytes it has. */
export type FieldType = 'u32' | 'f64' | number

/** Bytes of a cache line. */
const LINE = 64

/** The byte offset of each field, in the order of the table, and the size of the whole. */
export function layOut(fields: Readonly<Record<string, FieldType>>): {
  offsets: Record<string, number>
  bytes: number
} {
  const offsets: Record<string, number> = {}
  let end = 0
  let alignment = 4
  for (const [name, type] of Object.entries(fields)) {
    const unit = type === 'u32' ? 4 : type === 'f64' ? 8 : LINE
    offsets[name] = Math.ceil(end / unit) * unit
    end = offsets[name] + (typeof type === 'number' ? type : unit)
    alignment = Math.max(alignment, unit)
  }
  return { offsets, bytes: Math.ceil(end / alignment) * alignment }
}
