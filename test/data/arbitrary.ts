import fc from 'fast-check'

/** Any finite double. */
export const finite = fc.double({ noNaN: true, noDefaultInfinity: true })

/** A few rows of equal length, with many zeros. */
export const rows = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 }))
  .chain(([count, cols]) => {
    const cell = fc.oneof(fc.constant(0), finite)
    const row = fc.array(cell, { minLength: cols, maxLength: cols })
    return fc.array(row, { minLength: count, maxLength: count })
  })
