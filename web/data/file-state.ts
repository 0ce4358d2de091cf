/** The file in "Your data": its contents, the model trained on it, and the current activity. */
import { batch, computed, effect, signal } from '@preact/signals'
import type {
  FileCell,
  FileChoices,
  FilePeek,
  FilePredictions,
  FileReport,
  FileResult,
  FileSummary,
  FileTuneRequest,
  FitNews,
  TableChoices,
} from '../files/file-messages.ts'
import { linkedFile } from '../state/address.ts'
import type { Settings } from '../state/lab-state.ts'
import { sharedFile } from '../state/shared-file.ts'
import { change, state } from '../state/store.ts'
import { say } from '../words/announcer.tsx'
import { Cancelled } from '../worker/client.ts'
import type { ModelFiles } from '../worker/messages.ts'
import { FileWorker } from './file-worker.ts'
import { whyNoTable } from './no-table.ts'
import { bestOf, cellSettings } from './tuned-cells.ts'

/** What was learned, and the choices it was learned with. */
export interface Learned extends FileResult {
  readonly chosen: FileChoices
}

/** What the tuner has found so far. */
export interface Tuned {
  readonly request: Pick<FileTuneRequest, 'scoring' | 'folds'>
  readonly cells: readonly FileCell[]
  readonly best?: FileCell
  /** Fits that are done, and how many there will be, where that is known. */
  readonly done: number
  readonly total?: number
  readonly isComplete: boolean
}

/** What the open file holds; undefined also while it cannot be read as it is chosen to be. */
export const file = signal<FileSummary | undefined>(undefined)
/** The name of the file on show, and what its start looks like. */
export const preview = signal<{ readonly name: string; readonly peek: FilePeek } | undefined>(undefined)
/** How the file is read, or is to be read next. */
export const choices = signal<TableChoices>({})
/** The last result of training on it. */
export const result = signal<Learned | undefined>(undefined)
/** The models of this file, the latest last. */
export const tried = signal<readonly Learned[]>([])
/** The last search on it. */
export const tuned = signal<Tuned | undefined>(undefined)
/** What the model says of another file. */
export const predicted = signal<({ readonly name: string } & FilePredictions) | undefined>(undefined)
/** More would not be compared any more. */
const MOST_TRIED = 12
/** What went wrong, in the words of the command line. */
export const fileProblem = signal<string | undefined>(undefined)
/** What is being done, and how far. */
export const activity = signal<
  | { readonly kind: 'reading'; readonly share: number }
  | { readonly kind: 'training'; readonly news?: FitNews }
  | { readonly kind: 'tuning' }
  | { readonly kind: 'predicting' }
  | undefined
>(undefined)

/** Whether anything was chosen differently since the training. */
export const outdated = computed(() => {
  const { fileModel, file: now } = state.value
  const chosen = result.value?.chosen
  return (
    chosen !== undefined &&
    JSON.stringify([chosen.settings, chosen.file]) !== JSON.stringify([fileModel, now])
  )
})

/** Files up to this size go into links. */
const MOST_SHARED_BYTES = 1_000_000
/** Columns and rows of the field. */
const CELLS = [100, 72] as const

interface Content {
  readonly name: string
  readonly bytes: Uint8Array
}

/** The file on show, to be read again in another way, and how it was read. */
let content: Content | undefined
let inForce: TableChoices = {}
/** Its worker. */
let worker: FileWorker | undefined
let controller: AbortController | undefined
/** Trainings so far. */
let count = 0

/** Opens the file that came with a link, once. */
export function followLinkedFile(): void {
  effect(() => {
    const linked = linkedFile.value
    if (!linked) return
    linkedFile.value = undefined
    const { name, text, choices: wanted = {} } = linked
    void read({ name, bytes: new TextEncoder().encode(text) }, wanted, { isFresh: false })
  })
}

/** Opens a file that was dropped or chosen. */
export async function openFile(dropped: File): Promise<void> {
  await read(contentOf(dropped), {}, { isFresh: true })
}

function contentOf(dropped: File): Promise<Content> {
  const { name } = dropped
  return dropped.arrayBuffer().then(
    (buffer) => ({ name, bytes: new Uint8Array(buffer) }),
    () => Promise.reject(new Error(`${name}: the browser cannot read it. Is it a folder?`)),
  )
}

/** Reads the file again in another way. */
export function choose(part: Partial<TableChoices>): void {
  if (!content) return
  const isAnew = 'delimiter' in part || 'header' in part || 'encoding' in part
  // Other fields have other names: what was said of the columns is about none of them.
  const { columns: _, label: __, ...text } = choices.value
  void read(content, { ...(isAnew ? text : choices.value), ...part }, { isFresh: 'label' in part || isAnew })
}

/** Ends what is being done. */
export function cancelFile(): void {
  controller?.abort()
}

/** Where a file is fresh, the choices follow it: classes, or numbers to predict. A link brings its own. */
async function read(
  from: Content | Promise<Content>,
  wanted: TableChoices,
  { isFresh }: { readonly isFresh: boolean },
): Promise<void> {
  const isRead = await work({ kind: 'reading', share: 0 }, async (signal) => {
    const found = await from
    const { name, bytes } = found
    const problem = whyNoTable(name, bytes)
    if (problem) throw new Error(`${name}: ${problem}.`)
    if (found === content) choices.value = wanted
    const next = new FileWorker({ name, bytes, choices: wanted })
    // Ended immediately: reading may be in the middle of something long.
    signal.addEventListener('abort', () => {
      if (worker !== next) next.end()
      choices.value = inForce
    })
    let peek: FilePeek | undefined
    const summary = await next
      .open({
        signal,
        onNews: (news) => {
          if (signal.aborted) return
          if (news.kind === 'peek') peek = news.peek
          else activity.value = news
        },
      })
      .catch((error: Error) => {
        next.end()
        // What has a start that can be shown can be read in another way; the file that was open makes room for it, not for its own mistakes.
        const isHelped = peek && !signal.aborted && (found !== content || !file.value)
        if (isHelped) show(found, wanted, peek as FilePeek, undefined)
        else choices.value = inForce
        throw error
      })
    show(found, wanted, peek as FilePeek, summary, next)
    if (isFresh) suit(summary)
    say(`${name}: ${summary.rows} samples with ${summary.featureCount} features`)
  })
  if (isRead) await trainFile()
}

/** Makes a file the one on show. */
function show(
  found: Content,
  wanted: TableChoices,
  peek: FilePeek,
  summary: FileSummary | undefined,
  next?: FileWorker,
): void {
  worker?.end()
  worker = next
  content = found
  inForce = wanted
  batch(() => {
    choices.value = wanted
    preview.value = { name: found.name, peek }
    file.value = summary
    result.value = undefined
    tried.value = []
    tuned.value = undefined
    predicted.value = undefined
    fileProblem.value = undefined
    sharedFile.value = shareable(found, wanted)
  })
}

/** Chooses what suits the file where the choices in force do not. */
function suit({ classes, isNumeric, features }: FileSummary): void {
  const { fileModel, file: now } = state.value
  const { kernel } = fileModel
  const hasTargets = classes.length === 0 && isNumeric
  // A γ that suited other data says nothing about these.
  const suited: Settings = {
    ...fileModel,
    kernel: 'gamma' in kernel ? { ...kernel, gamma: 'scale' } : kernel,
    ...(hasTargets !== (fileModel.problem === 'svr') && {
      problem: hasTargets ? 'svr' : 'svc',
      solver: 'smo',
    }),
  }
  if (JSON.stringify(suited) !== JSON.stringify(fileModel)) change({ fileModel: suited })
  const { picture } = now
  const isOutside = picture !== 'pca' && Math.max(...picture) >= features.length
  if (isOutside) change({ file: { ...now, picture: 'pca' } })
}

/** The model on show, as text. */
export function modelFiles(as: 'json' | 'libsvm'): Promise<ModelFiles> {
  return theWorker().modelFiles(as)
}

/** What the model on show says of the samples that it was evaluated on. */
export function modelReport(): Promise<FileReport> {
  return theWorker().report()
}

function theWorker(): FileWorker {
  if (!worker) throw new Error('no file is open')
  return worker
}

/** Trains on the open file. */
export async function trainFile(): Promise<void> {
  const summary = file.value
  const own = worker
  const peek = preview.value?.peek
  if (!summary || !own || !peek) return
  const { fileModel: settings, file: options } = state.value
  await work({ kind: 'training' }, async (signal) => {
    const { picture } = options
    const learned = await own.fit(
      {
        number: ++count,
        settings,
        ...options,
        picture: picture === 'pca' ? picture : [summary.features[picture[0]], summary.features[picture[1]]],
        cells: CELLS,
      },
      {
        signal,
        onNews: (news) => {
          if (!signal.aborted) activity.value = { kind: 'training', news }
        },
      },
    )
    const made = { ...learned, chosen: { settings, file: options, choices: inForce, peek } }
    result.value = made
    tried.value = [...tried.value, made].slice(-MOST_TRIED)
    predicted.value = undefined
    fileProblem.value = undefined
    say('Trained.')
  })
}

/** Searches for parameters on the samples that are not held out, and trains with the best. Cancelled, it keeps the cells that are done. */
export async function tuneFile(
  request: Pick<FileTuneRequest, 'search' | 'scoring' | 'folds'>,
): Promise<void> {
  const own = worker
  if (!file.value || !own) return
  const { fileModel: settings, file: options } = state.value
  const { scaler, balanced, holdOut } = options
  tuned.value = { request, cells: [], done: 0, isComplete: false }
  const known = new Map<string, FileCell>()
  const isDone = await work({ kind: 'tuning' }, async (signal) => {
    const { best, cells } = await own.tune(
      { ...request, settings, scaler, balanced, holdOut },
      {
        signal,
        onNews: ({ cell, done, total }) => {
          if (signal.aborted) return
          known.set(JSON.stringify(cell.params), cell)
          const so = [...known.values()]
          const found = bestOf(so)
          tuned.value = {
            ...{ request, cells: so, done, isComplete: false },
            ...(total && { total }),
            ...(found && { best: found }),
          }
        },
      },
    )
    const chosen = cells.find(({ params }) => JSON.stringify(params) === JSON.stringify(best))
    tuned.value = { request, cells, done: known.size, ...(chosen && { best: chosen }), isComplete: true }
    fileProblem.value = undefined
    change({ fileModel: cellSettings(settings, best) })
    say('Tuned.')
  })
  if (isDone) await trainFile()
  else if (tuned.value?.cells.length === 0) tuned.value = undefined
}

/** Has the model on show predict another file. */
export async function predictFile(other: File): Promise<void> {
  const own = worker
  if (!own) return
  predicted.value = undefined
  await work({ kind: 'predicting' }, async (signal) => {
    const { name, bytes } = await contentOf(other)
    const problem = whyNoTable(name, bytes)
    if (problem) throw new Error(`${name}: ${problem}.`)
    predicted.value = { name, ...(await own.predict(name, bytes, { signal })) }
    fileProblem.value = undefined
    say(`${name}: ${predicted.value.rows} rows predicted`)
  })
}

/** Does one thing at a time, and says what goes wrong. Whether it was done, and not cancelled. */
async function work(
  first: NonNullable<typeof activity.value>,
  act: (signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  controller?.abort()
  const own = new AbortController()
  controller = own
  activity.value = first
  let isDone = false
  try {
    await act(own.signal)
    isDone = !own.signal.aborted
  } catch (error) {
    if (controller === own && !(error instanceof Cancelled)) fileProblem.value = (error as Error).message
  }
  if (controller === own) activity.value = undefined
  return isDone
}

/** The file as a link may hold it: text, and not too much of it. */
function shareable({ name, bytes }: Content, wanted: TableChoices): typeof sharedFile.value {
  if (bytes.length > MOST_SHARED_BYTES) return 'unfit'
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { name, text, ...(Object.keys(wanted).length > 0 && { choices: wanted }) }
  } catch {
    return 'unfit'
  }
}
