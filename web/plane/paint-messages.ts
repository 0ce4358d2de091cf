/** What the page asks of the worker that paints, and what comes back. */
import type { View } from '../state/lab-state.ts'
import type { Theme } from './colours.ts'
import type { Look, Scene } from './scene.ts'

/** Everything that a plane shows. */
export type Shot = Scene & Look

/** A scene as a file. */
export interface FigureRequest {
  readonly format: 'svg' | 'png'
  readonly scene: Scene
  readonly view: View
  readonly theme: Theme
}

/** From the page. Planes and figures have numbers. */
export type PaintCommand =
  | { readonly kind: 'open'; readonly plane: number; readonly canvas: OffscreenCanvas }
  /** Only what is not as it was in the last shot of the plane. */
  | { readonly kind: 'paint'; readonly plane: number; readonly changes: Partial<Shot> }
  | { readonly kind: 'close'; readonly plane: number }
  | { readonly kind: 'figure'; readonly figure: number; readonly request: FigureRequest }

/** To the page: a shot is on its canvas, which is handed to the screen with the next frame; or a figure is made. */
export type PaintReport =
  | { readonly kind: 'painted'; readonly plane: number }
  | { readonly kind: 'figure'; readonly figure: number; readonly blob?: Blob; readonly problem?: string }
