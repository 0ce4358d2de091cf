/** Size of a figure, in pixels. Apart from what draws figures, so that declarations of figures need no other package. */
export interface FigureSize {
  readonly width?: number
  readonly height?: number
}
