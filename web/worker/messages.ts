/** What the page asks of its worker, and what comes back. All of it survives a structured clone. */
import type { Certificate, KernelSpec, SolverName } from '../../src/index.ts'
import type { SamplePosition, TracePoint } from '../../src/solvers.ts'
import type { PlaneSource, Settings, TuneSettings } from '../state/lab-state.ts'

/** Nodes of a regular grid over a rectangle, its rim included: where a field is evaluated. */
export interface Grid {
  readonly columns: number
  readonly rows: number
  readonly x: readonly [from: number, to: number]
  readonly y: readonly [from: number, to: number]
}

/** The points of the plane: coordinates (x, y, x, y, …) and the class of each. */
export interface PlaneData {
  readonly xy: Float64Array
  readonly classes: Uint8Array
  /** 1 for each point that the model does not see; absent where it sees all. */
  readonly heldOut?: Uint8Array
}

/** What samples can be, in the order of the numbers in {@link Picture.positions}. */
export const positionNames: readonly SamplePosition[] = ['outside', 'on-margin', 'inside', 'misclassified']

/** The number of a position. */
export function positionNumber(position: SamplePosition): number {
  return positionNames.indexOf(position)
}

/** A trained model as the plane shows it. Arrays have one entry per sample unless stated otherwise. */
export interface Picture {
  readonly kind: 'binary' | 'multi' | 'one-class' | 'regression'
  /** The classes that occur, ascending; the score fields are in this order. */
  readonly classes: readonly number[]
  readonly grid: Grid
  /**
   * Values on the grid, `[row * columns + column]` from the lower left: one field for two classes and one class, one a
   * class for more, and for regression the curve, one value per column.
   */
  readonly fields: readonly Float32Array[]
  /** Of more than two classes, the decision value of each pair on the grid, and the votes of each sample for each class. */
  readonly pairFields?: readonly Float32Array[]
  readonly votes?: Uint8Array
  /** Coefficients β of the expansion; 0 where a sample is no support vector. */
  readonly coefficients: Float64Array
  /** Where each sample stands, by its place in {@link positionNames}. */
  readonly positions: Uint8Array
  /** f of each sample; for more than two classes, by how much its own class beats the strongest of the others. */
  readonly values: Float64Array
  /** The ways of samples with slack to their margins: x, y, x, y, … on the plane, two NaN after each way. */
  readonly slackLines: Float32Array
  readonly bias: number
  /** 2 / ‖w‖; NaN where it has no meaning. */
  readonly marginWidth: number
  /** Share of the samples that are predicted right; R² for regression, share inside for one class. */
  readonly score: number
  /** 1 for each sample that the model has not seen, where there are any. */
  readonly heldOut?: Uint8Array
  /** The same for the points held out, where there are any. */
  readonly testScore?: number
  /** One, or one for each machine of a multi-class model. */
  readonly certificates: readonly Certificate[]
  /** The number of the model, among all that its worker trained for the plane. */
  readonly model?: number
  /** Milliseconds in the worker, for training and for the field. */
  readonly trainMs: number
  readonly fieldMs: number
}

/** Samples that are shrunk away, from a frame on. */
export interface ShrunkSet {
  readonly from: number
  readonly samples: Uint32Array
}

/** More runs of the same solver with other seeds; see ./other-runs.ts. */
export interface OtherRuns {
  readonly runs: number
  /** After how many steps each of the lines is that of. */
  readonly stepAt: Uint32Array
  /** f = 0 of all these runs: x, y, x, y, … on the plane, two NaN after each line. */
  readonly lines: readonly Float32Array[]
}

/** The course of one run, one frame per step; see ./record.ts. */
export interface Recording {
  readonly kind: Exclude<Picture['kind'], 'multi'>
  readonly samples: number
  /** The most that a multiplier may be. */
  readonly bound: number
  readonly frames: number
  /** The number of steps taken at each frame: all of the first ones are there, then one in so many. */
  readonly stepAt: Uint32Array
  /** Steps of the whole run. */
  readonly steps: number
  /** Coefficients of each frame, `[frame * samples + i]`; frame 0 is before the first step. */
  readonly coefficients: Float64Array
  readonly bias: Float64Array
  /** What the model of each frame is multiplied by to be drawn, where that is not 1. */
  readonly scale?: Float64Array
  /** The samples that are left out, wherever that changes; none at first. */
  readonly shrunk?: readonly ShrunkSet[]
  readonly others?: OtherRuns
  /** b_up and b_low of each frame, where the solver has pairs, and one interval. */
  readonly bounds?: { readonly up: Float64Array; readonly low: Float64Array }
  /** Fields of the pair step that led to each frame, `[frame * stepFields.length + k]`. */
  readonly pairs?: Float64Array
  /** The working set of each round, for the solver that has them: iterations are its rounds, counted from 1. */
  readonly sets?: readonly Uint32Array[]
  /** Fields of the model step that led to each frame, `[frame * moveFields.length + k]`. */
  readonly moves?: Float64Array
  readonly trace: readonly TracePoint[]
  readonly certificate: Certificate
  /** k(x_i, node), `[i * nodes + node]`; for a curve the nodes are the columns of the grid. */
  readonly kernelGrid: Float32Array
  readonly grid: Grid
}

/** Samples that join the working set in a round of a run that is watched: few, so that there are rounds to be seen. */
export const WATCHED_ADDED = 10

/** Order of the numbers in {@link Recording.pairs}. */
export const stepFields = [
  'iteration',
  'i',
  'j',
  'yi',
  'yj',
  'errorI',
  'errorJ',
  'eta',
  'low',
  'high',
  'unclipped',
  'oldAlphaI',
  'oldAlphaJ',
  'alphaI',
  'alphaJ',
] as const

/** Order of the numbers in {@link Recording.moves}. */
export const moveFields = ['iteration', 'step', 'sample', 'stepSize'] as const

/** One solver of a race. */
export interface RaceRun {
  readonly solver: SolverName
  /** Seconds of all its runs, ascending. The certificate and the trace are those of the one in the middle. */
  readonly times: readonly number[]
  readonly certificate: Certificate
  readonly trace: readonly TracePoint[]
  /** Coefficients and bias at each point of the trace. */
  readonly coefficients: Float64Array
  readonly bias: Float64Array
}

/** A race over: all runs, and what is needed to draw any of their models. */
export interface Race {
  readonly runs: readonly RaceRun[]
  readonly kernelGrid: Float32Array
  readonly grid: Grid
}

/** A plane in the space of (x, y, x² + y²): w · (x, y, z) + bias = 0, and the share of the points on their own side. */
export interface LiftedPlane {
  readonly w: Float64Array
  readonly bias: number
  readonly score: number
}

/** Shares of errors at some places of one parameter. */
export interface ErrorCurve {
  readonly x: Float64Array
  readonly training: Float64Array
  readonly test: Float64Array
}

/** One cell of the tuner's grid. */
export interface TuneCell {
  readonly row: number
  readonly column: number
  readonly C: number
  readonly gamma: number
  /** Mean accuracy on the folds held out, and on the samples trained on. */
  readonly validation: number
  readonly training: number
}

/** A model as text, in the requested format. */
export interface ModelFiles {
  readonly json?: string
  readonly libsvm?: string
  /** What svm-scale needs, where the data must be scaled before LIBSVM's model sees them. */
  readonly ranges?: string
}

/** The jobs about the plane: the request, the answer, and what is reported in between. Those about files are in ../files/. */
export interface Jobs {
  /** Points and settings of the model with the number `again` are the same: if it is still there, it is only redrawn. */
  train: {
    ask: { data: PlaneData; settings: Settings; grid: Grid; again: number | undefined }
    reply: Picture
    news: never
  }
  record: {
    ask: { data: PlaneData; settings: Settings; grid: Grid }
    reply: Recording
    news: number
  }
  race: {
    ask: { data: PlaneData; settings: Settings; solvers: readonly SolverName[]; grid: Grid }
    reply: Race
    news: SolverName
  }
  /** k(x_i, ·) on a grid, its parameters as the data settle them. */
  kernel: {
    ask: { data: PlaneData; index: number; kernel: KernelSpec; grid: Grid }
    reply: Float32Array
    news: never
  }
  /** Errors along C or γ, on the points that are seen and on those held out. */
  errors: {
    ask: { data: PlaneData; settings: Settings; along: 'C' | 'gamma' }
    reply: ErrorCurve
    news: never
  }
  /** The linear machine of points lifted to (x, y, x² + y²). */
  lift: { ask: { data: PlaneData; C: number }; reply: LiftedPlane; news: never }
  /** Makes the points of a preset. */
  points: { ask: PlaneSource & { kind: 'preset' }; reply: PlaneData; news: never }
  tune: { ask: { data: PlaneData; settings: Settings; tune: TuneSettings }; reply: null; news: TuneCell }
  /** Of the plane, or of a file: the model with that number, if it is the last; nothing comes if it is not. */
  export: {
    ask: { as: 'json' | 'libsvm' } & ({ data: PlaneData; settings: Settings } | { file: number })
    reply: ModelFiles
    news: never
  }
}
