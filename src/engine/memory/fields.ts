/** Fields of the structures in the engine's memory, written and read by name. */
import { f64, type u32 } from './lay-out.ts'
import { layOut, structures } from './structures.ts'

/** The name of a structure. */
export type StructureName = keyof typeof structures

/** The names of its fields that hold a number. */
export type FieldName<S extends StructureName> = {
  [F in keyof (typeof structures)[S]]: (typeof structures)[S][F] extends typeof u32 | typeof f64 ? F : never
}[keyof (typeof structures)[S]] &
  string

/** Values of all its fields. */
export type FieldValues<S extends StructureName> = Record<FieldName<S>, number>

type Layout = { readonly offsets: Record<string, number>; readonly bytes: number }

const layouts = Object.fromEntries(
  Object.entries(structures).map(([name, fields]) => [name, layOut(fields)]),
) as Record<StructureName, Layout>

/** Bytes that a structure takes. */
export function sizeOf(structure: StructureName): number {
  return layouts[structure].bytes
}

/** Where a field is, in bytes from the beginning of its structure. */
export function offsetOf<S extends StructureName>(structure: S, field: FieldName<S>): number {
  return layouts[structure].offsets[field]
}

/** Sets some fields of the structure at `pointer`. */
export function writeFields<S extends StructureName>(
  memory: WebAssembly.Memory,
  structure: S,
  pointer: number,
  values: Partial<FieldValues<S>>,
): void {
  const { offsets } = layouts[structure]
  const sizes: Record<string, number> = structures[structure]
  const view = new DataView(memory.buffer)
  for (const field in values) {
    const at = pointer + offsets[field]
    const value = values[field as FieldName<S>] as number
    if (sizes[field] === f64) view.setFloat64(at, value, true)
    else view.setUint32(at, value, true)
  }
}

/** All fields of the structure at `pointer`. */
export function readFields<S extends StructureName>(
  memory: WebAssembly.Memory,
  structure: S,
  pointer: number,
): FieldValues<S> {
  const { offsets } = layouts[structure]
  const view = new DataView(memory.buffer)
  const values: Record<string, number> = {}
  for (const [field, size] of Object.entries<number>(structures[structure])) {
    const at = pointer + offsets[field]
    values[field] = size === f64 ? view.getFloat64(at, true) : view.getUint32(at, true)
  }
  return values as FieldValues<S>
}
