/** Colours that stay apart for colour-blind readers (Okabe and Ito 2008); marks differ in shape as well. */
export const PALETTE = {
  blue: '#0072b2',
  vermilion: '#d55e00',
  green: '#009e73',
  purple: '#cc79a7',
  sky: '#56b4e9',
  orange: '#e69f00',
  ink: '#1f2328',
  grey: '#6e7781',
  /** Lines that help the eye, such as a diagonal. */
  guide: '#8c959f',
  /** Frames around plots. */
  frame: '#d0d7de',
} as const

/** Colours of curves, in the order in which they are given out; beyond the last, dashes distinguish curves. */
export const CURVE_COLOURS: readonly string[] = [
  PALETTE.blue,
  PALETTE.vermilion,
  PALETTE.green,
  PALETTE.purple,
  PALETTE.orange,
  PALETTE.sky,
  PALETTE.ink,
]
