/** The values along one side of the tuner's grid: powers of ten, evenly spaced, rounded to three digits. */
export function axisValues([from, to]: readonly [from: number, to: number], steps: number): number[] {
  return Array.from({ length: steps }, (_, k) =>
    Number((10 ** (from + ((to - from) * k) / (steps - 1))).toPrecision(3)),
  )
}
