/** The colours that planes are painted with. */

/** How many colours classes have, and how many shapes. */
export const CLASS_COLOURS = 8

/** The colour of a class, by its number. */
export function colourOf(c: number): number {
  return c % CLASS_COLOURS
}

/** The shape of a class: with the ninth class colours begin again, each with another shape, so that 64 classes differ. */
export function shapeOf(c: number): number {
  return (c + Math.floor(c / CLASS_COLOURS)) % CLASS_COLOURS
}

/** See the header of the file; `classes` in the order of {@link colourOf}. */
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
