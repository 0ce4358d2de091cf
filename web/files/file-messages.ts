/** What the page asks its worker about a file of the user's, and what comes back. */
import type { Label } from '../../src/index.ts'
import type { RocCurve } from '../../src/metrics.ts'
import type { Said } from '../../src/plots.ts'
import type { TextEncoding, TextForm } from '../../src/tables.ts'
import type { FileSettings, Settings } from '../state/lab-state.ts'
import type { Picture, PlaneData } from '../worker/messages.ts'

/** What a column can be taken for; dates also by the order of day and month. */
export const columnPicks = [
  'number',
  'category',
  'boolean',
  'date',
  'dmy',
  'mdy',
  'text',
  'vector',
  'ignored',
] as const

/** See {@link columnPicks}. */
export type ColumnPick = (typeof columnPicks)[number]

/** What was chosen about reading a file; what was not is detected from the file. */
export interface TableChoices {
  readonly encoding?: TextEncoding
  readonly delimiter?: string
  readonly decimal?: '.' | ','
  readonly header?: boolean
  /** The column of the labels, by its name or position. */
  readonly label?: string | number
  /** What columns are taken for, by name. */
  readonly columns?: Readonly<Record<string, ColumnPick>>
  /** What becomes of rows with missing cells; cells are filled in unless it is said. */
  readonly missing?: 'drop'
}

/** What the start of a file looks like. */
export interface FilePeek {
  readonly format: 'csv' | 'tsv' | 'parquet' | 'libsvm' | 'json'
  /** How text is written, where that can be chosen. */
  readonly text?: TextForm
  readonly columns: readonly {
    /** By which it is chosen, and how it is called. */
    readonly name: string
    readonly title: string
    /** What it looks like. */
    readonly kind: ColumnPick
    readonly reason?: string
  }[]
  /** Position of the label. */
  readonly label?: number
  /** The first rows; the lines of LIBSVM text. */
  readonly rows: readonly (readonly string[])[]
}

/** What is reported while a file is read. */
export type OpenNews =
  | { readonly kind: 'peek'; readonly peek: FilePeek }
  | { readonly kind: 'reading'; readonly share: number }

/** The choices that a model was learned with, and what its file looked like. */
export interface FileChoices {
  readonly settings: Settings
  readonly file: FileSettings
  readonly choices: TableChoices
  readonly peek: FilePeek
}

/** What a file holds. */
export interface FileSummary {
  readonly name: string
  readonly rows: number
  /** How many features the columns become, and the names of the first ones. */
  readonly featureCount: number
  readonly features: readonly string[]
  /** What became of each column, in words; empty for LIBSVM files. */
  readonly columns: readonly string[]
  /** Rows that were left out because cells were missing. */
  readonly dropped: number
  /** What is unusual about the text. */
  readonly notes: readonly string[]
  /** Whether columns have to be prepared, so that only a JSON model can hold how they are prepared. */
  readonly isPrepared: boolean
  /** Empty where the labels take this many values that they are no classes. */
  readonly classes: readonly { readonly label: Label; readonly count: number }[]
  /** Whether a regression can be trained: the labels are numbers. */
  readonly isNumeric: boolean
}

/** More features are not listed one by one. */
export const MOST_LISTED = 60

/** How samples are divided, and what is trained on them. */
export interface FileModelChoice {
  readonly settings: Settings
  readonly scaler: FileSettings['scaler']
  /** Whether C is multiplied by weights that make all classes weigh the same. */
  readonly balanced: boolean
  readonly holdOut: number
}

/** What becomes of a file. */
export interface FileRequest extends FileModelChoice {
  /** The number of the request, for later questions about its model. */
  readonly number: number
  /** Principal components, or two features by name. */
  readonly picture: 'pca' | readonly [string, string]
  /** Columns and rows of the field. */
  readonly cells: readonly [columns: number, rows: number]
}

/** A model of a file, and how well it does. */
export interface FileResult {
  readonly picture: Picture
  /** The samples as the picture shows them. */
  readonly points: PlaneData
  readonly axes: readonly [string, string]
  /** Share of the variance that the picture shows, for principal components. */
  readonly explained?: number
  readonly trainCount: number
  readonly testCount: number
  /** Of a classifier; empty for a regression. */
  readonly labels: readonly Label[]
  /** Rows true, columns predicted, of the samples held out (of all, when none are). */
  readonly confusion: readonly (readonly number[])[]
  /** NaN for a regression. */
  readonly accuracy: number
  /** Of a regression: R² and the mean size of an error on the samples held out (on all, when none are). */
  readonly targets?: { readonly r2: number; readonly meanError: number }
  /** For the second of two classes, the positive one. */
  readonly roc?: RocCurve & { readonly area: number }
  readonly libsvm: LibsvmForm
}

/**
 * How a model goes into LIBSVM's format: as it is; with its scaler folded into the vectors; with the scaler beside it, as
 * ranges for svm-scale; or not at all, because it prepares columns, or because LIBSVM has no such kernel.
 */
export type LibsvmForm = 'plain' | 'folded' | 'ranges' | 'prepared' | 'none'

/** What is reported while a model is trained on a file. */
export type FitNews =
  | { readonly kind: 'training'; readonly violation: number; readonly tol: number; readonly seconds: number }
  | { readonly kind: 'evaluating' }

/** How thoroughly to search: a coarse grid and a finer look around its best cell, all of LIBSVM's grid, or that by halving. */
export type TuneSearch = 'quick' | 'grid' | 'halving'

/** Scores to tune by. */
export type TuneScoring = 'accuracy' | 'balanced-accuracy' | 'f1' | 'roc-auc' | 'r2'

/** What the tuner is requested: on the samples that are not held out. */
export interface FileTuneRequest extends FileModelChoice {
  readonly search: TuneSearch
  readonly scoring: TuneScoring
  readonly folds: number
}

/** A cell, evaluated on all folds or on the first of them. */
export interface FileCell {
  readonly params: Readonly<Record<string, number>>
  readonly scores: readonly number[]
  readonly mean: number
  readonly standardError: number
}

/** A fit is done: its cell with the folds so far, the number of fits, and about how many there will be, where that is known. */
export interface TuneNews {
  readonly cell: FileCell
  readonly done: number
  readonly total?: number
}

/** What the tuner chose. */
export interface FileTuned {
  readonly best: FileCell['params']
  readonly cells: readonly FileCell[]
}

/** What a model says of the samples that it was evaluated on, and how it came about, for a report. */
export interface FileReport {
  readonly said: Said
  /** How the columns are prepared. */
  readonly preparation: readonly string[]
}

/** Another file, and what the model says of it. */
export interface FilePredictions {
  readonly rows: number
  /** The file with a column of predictions, as CSV. */
  readonly csv: string
  /** Names of the columns and the first rows of that; the first of them are the file's own. */
  readonly names: readonly string[]
  readonly own: number
  readonly head: readonly (readonly string[])[]
  /** What is worth knowing, in sentences. */
  readonly notes: readonly string[]
}

/** The jobs about files. */
export interface FileJobs {
  open: {
    ask: { name: string; bytes: Uint8Array; choices: TableChoices }
    reply: FileSummary
    news: OpenNews
  }
  fit: { ask: FileRequest; reply: FileResult; news: FitNews }
  tuneFile: { ask: FileTuneRequest; reply: FileTuned; news: TuneNews }
  /** Of the model with that number, if it is the last; undefined if it is not. */
  report: { ask: { file: number }; reply: FileReport | undefined; news: never }
  predict: {
    ask: { file: number; name: string; bytes: Uint8Array }
    reply: FilePredictions | undefined
    news: never
  }
}
