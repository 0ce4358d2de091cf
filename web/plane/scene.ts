/** What is on a plane: plain data, so that it can be painted anywhere. */
import type { Layer, View } from '../state/lab-state.ts'
import type { Picture, PlaneData } from '../worker/messages.ts'
import type { Theme } from './colours.ts'
import type { Size } from './view.ts'

/** What can be painted of a model: all of a picture, or one field while a run plays. */
export type Field = Pick<Picture, 'classes' | 'fields' | 'grid'> & {
  /** 'kernel' is k(x, ·) for one x; 'votes' are the decision values of all pairs of classes. */
  readonly kind: Picture['kind'] | 'kernel' | 'votes'
}

/** What lies over everything else, in coordinates of the plane. */
export type Overlay = { readonly x: number; readonly y: number } & (
  | { readonly kind: 'hover' }
  /** The curve y = x². */
  | { readonly kind: 'parabola' }
  /** A sample of the working set. */
  | { readonly kind: 'member' }
  | { readonly kind: 'cursor'; readonly carries: boolean }
  /** A sample of a step, with its name in the formulas. */
  | { readonly kind: 'halo'; readonly name: string }
)

/** See the header of the file. */
export interface Scene {
  readonly points: PlaneData
  /** 1 for each point that is pale: a solver has left it out for now. */
  readonly pale?: Uint8Array | undefined
  /** Whether the classes of points count for nothing. */
  readonly plain?: boolean
  readonly field?: Field | undefined
  /** Support vectors and slack, when they belong to these points. */
  readonly picture?: Pick<Picture, 'coefficients' | 'positions' | 'slackLines'> | undefined
  /** Faint lines of other runs: x, y, x, y, …, two NaN after each. */
  readonly others?: Float32Array | undefined
  readonly over?: readonly Overlay[]
  /** What is left out. */
  readonly hidden?: readonly Layer[]
  /** Numbers along the rim; left out of small pictures. */
  readonly withTicks?: boolean
}

/** How a scene is looked at. */
export interface Look {
  readonly view: View
  readonly size: Size
  /** Pixels of the screen to one of the page. */
  readonly ratio: number
  readonly theme: Theme
}
