/** Options that figures share. Apart from what draws figures, so that declarations of figures need no other package. */

/** Size of a figure, in pixels. */
export interface FigureSize {
  readonly width?: number
  readonly height?: number
}

/** Options of every figure. */
export interface FigureOptions extends FigureSize {
  readonly title?: string
  readonly subtitle?: string
}
