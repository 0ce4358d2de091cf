/** Everything that the Lab remembers, undoes and puts into a link: plain, immutable data. */
import type { KernelSpec, SolverName } from '../../src/index.ts'

/** One of four classes; the first two are the classic pair. */
export type ClassIndex = 0 | 1 | 2 | 3

/** A point on the plane. For regression y is the target and the class counts for nothing. */
export interface Point {
  readonly x: number
  readonly y: number
  readonly c: ClassIndex
}

/** The parts of the Lab, as its tabs name them. */
export const modes = ['plane', 'watch', 'race', 'tune', 'data'] as const

/** One of {@link modes}. */
export type Mode = (typeof modes)[number]

/** Names of the presets; ../plane/presets.ts makes them. */
export const presetNames = [
  'blobs',
  'moons',
  'circles',
  'xor',
  'spirals',
  'checkerboard',
  'iris',
  'example37',
  'sine',
  'sinc',
  'step',
] as const

/** One of {@link presetNames}. */
export type PresetName = (typeof presetNames)[number]

/** Where the points come from: a preset that can be made again, or drawn by hand. */
export type PlaneSource =
  | {
      readonly kind: 'preset'
      readonly name: PresetName
      readonly size: number
      readonly noise: number
      readonly seed: number
    }
  | { readonly kind: 'drawn'; readonly points: readonly Point[] }

/**
 * The part of the plane that is seen: its centre and half its height. The width follows the window; `stretch` is how
 * many units of x are as long as one of y, 1 where distances matter.
 */
export interface View {
  readonly x: number
  readonly y: number
  readonly half: number
  readonly stretch: number
}

/** The optimisation problem that is solved. */
export const problemTypes = ['svc', 'nu-svc', 'one-class', 'svr'] as const

/** One of {@link problemTypes}. */
export type ProblemType = (typeof problemTypes)[number]

/** What is trained, and how. */
export interface Settings {
  readonly problem: ProblemType
  readonly C: number
  readonly nu: number
  readonly epsilon: number
  readonly kernel: KernelSpec
  readonly solver: SolverName
  readonly tol: number
  /** Of the solvers that draw by lot. */
  readonly seed: number
}

/** What lies on the plane, each to be left out. */
export const layers = ['field', 'lines', 'points', 'rings', 'slack'] as const

/** One of {@link layers}. */
export type Layer = (typeof layers)[number]

/** What a click on the plane does: adds a point of a class, erases, or moves the view. */
export type Tool = ClassIndex | 'erase' | 'pan'

/** How the grid of the tuner is laid out: powers of ten. */
export interface TuneSettings {
  readonly C: readonly [from: number, to: number]
  readonly gamma: readonly [from: number, to: number]
  readonly steps: number
  readonly folds: number
}

/** Settings for the user's own file, beside those of its model. */
export interface FileSettings {
  readonly scaler: 'none' | 'range' | 'standard'
  readonly holdOut: number
  /** Two features, or the two principal components, for the picture. */
  readonly picture: 'pca' | readonly [number, number]
  /** Whether rare classes weigh as much as frequent ones. */
  readonly balanced: boolean
}

/** The whole state. */
export interface LabState {
  readonly mode: Mode
  readonly source: PlaneSource
  readonly view: View
  readonly tool: Tool
  /** Share of the points on the plane that the model does not see. */
  readonly heldOut: number
  /** What is left out of the picture. */
  readonly hidden: readonly Layer[]
  /** Whether the plane shows the votes of the pairs where there are more than two classes. */
  readonly votes: boolean
  /** Of more than two classes, those whose run is watched. */
  readonly pair: readonly [ClassIndex, ClassIndex]
  readonly settings: Settings
  readonly race: readonly SolverName[]
  readonly tune: TuneSettings
  readonly file: FileSettings
  /** The model of the file; {@link settings} are those of the plane. */
  readonly fileModel: Settings
}

/** What the Lab opens with. */
export const initialState: LabState = {
  mode: 'plane',
  source: { kind: 'preset', name: 'moons', size: 120, noise: 0.2, seed: 1 },
  view: { x: 0.58, y: 0.22, half: 1.45, stretch: 1 },
  tool: 1,
  settings: {
    problem: 'svc',
    C: 10,
    nu: 0.2,
    epsilon: 0.1,
    kernel: { kind: 'rbf', gamma: 1 },
    solver: 'smo',
    tol: 1e-3,
    seed: 0,
  },
  race: ['smo', 'smo-mvp', 'smo-platt'],
  tune: { C: [-2, 4], gamma: [-3, 3], steps: 7, folds: 5 },
  file: { scaler: 'standard', holdOut: 0.25, picture: 'pca', balanced: false },
  fileModel: {
    problem: 'svc',
    C: 1,
    nu: 0.2,
    epsilon: 0.1,
    kernel: { kind: 'rbf', gamma: 'scale' },
    solver: 'smo',
    tol: 1e-3,
    seed: 0,
  },
  hidden: [],
  votes: false,
  pair: [0, 1],
  heldOut: 0,
}
