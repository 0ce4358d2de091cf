/** The colours that planes are painted with. */

/** See the head of the file; `classes` in the order of the class numbers. */
export interface Theme {
  readonly paper: string
  readonly ink: string
  readonly muted: string
  readonly line: string
  readonly warn: string
  readonly classes: readonly string[]
  readonly curves: readonly string[]
}

/** '#rrggbb', or '#rgb' as minifiers write it, as three numbers. */
export function rgb(colour: string): readonly [number, number, number] {
  const digits = colour.length === 4 ? colour.replace(/[\da-f]/gi, '$&$&') : colour
  const value = Number.parseInt(digits.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}
