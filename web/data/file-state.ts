/** The file in "Your data": its contents, the model trained on it, and the current activity. */
import { batch, computed, effect, signal } from '@preact/signals'
import { linkedFile } from '../state/address.ts'
import type { FileSettings, Settings } from '../state/lab-state.ts'
import { sharedFile } from '../state/shared-file.ts'
import { change, state } from '../state/store.ts'
import { say } from '../words/announcer.tsx'
import { Cancelled } from '../worker/client.ts'
import type { FileResult, FileSummary, Jobs, ModelFiles } from '../worker/messages.ts'
import { chosenFeatures } from './chosen-features.ts'
import { FileWorker } from './file-worker.ts'
import { whyNoTable } from './no-table.ts'

/** What was learned, and the choices it was learned with. */
export interface Learned extends FileResult {
  readonly chosen: { readonly settings: Settings; readonly file: FileSettings }
}

/** What the open file holds. */
export const file = signal<FileSummary | undefined>(undefined)
/** The last result of training on it. */
export const result = signal<Learned | undefined>(undefined)
/** The models of this file, the latest last. */
export const tried = signal<readonly Learned[]>([])
/** More would not be compared any more. */
const MOST_TRIED = 12
/** What went wrong, in the words of the command line. */
export const fileProblem = signal<string | undefined>(undefined)
/** Reading or training, and how far. */
export const activity = signal<
  | { readonly kind: 'reading'; readonly share: number }
  | { readonly kind: 'training'; readonly news?: Jobs['fit']['news'] }
  | undefined
>(undefined)

/** Whether anything was chosen differently since the training. */
export const outdated = computed(() => {
  const { fileModel: settings, file: choices } = state.value
  const now = result.value
  return now !== undefined && JSON.stringify(now.chosen) !== JSON.stringify({ settings, file: choices })
})

/** Files up to this size go into links. */
const MOST_SHARED_BYTES = 1_000_000
/** Columns and rows of the field. */
const CELLS = [100, 72] as const

interface Content {
  readonly name: string
  readonly bytes: Uint8Array
}

/** The file on show, to be read again with another column as the label. */
let content: Content | undefined
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
    const { name, text, labelColumn } = linked
    void read({ name, bytes: new TextEncoder().encode(text) }, { labelColumn, isFresh: false })
  })
}

/** Opens a file that was dropped or chosen. */
export async function openFile(dropped: File): Promise<void> {
  const { name } = dropped
  const bytes = dropped.arrayBuffer().then(
    (buffer) => ({ name, bytes: new Uint8Array(buffer) }),
    () => Promise.reject(new Error(`${name}: the browser cannot read it. Is it a folder?`)),
  )
  await read(bytes, { isFresh: true })
}

/** Reads the file again with another column as the label. */
export function chooseLabel(labelColumn: string): void {
  if (content) void read(content, { labelColumn, isFresh: true })
}

/** Ends reading or training. */
export function cancelFile(): void {
  controller?.abort()
}

/** Where a file is fresh, the choices follow it: classes, or numbers to predict; all features. A link brings its own. */
async function read(
  from: Content | Promise<Content>,
  { labelColumn, isFresh }: { readonly labelColumn?: string | undefined; readonly isFresh: boolean },
): Promise<void> {
  const isRead = await work({ kind: 'reading', share: 0 }, async (signal) => {
    const found = await from
    const { name, bytes } = found
    const problem = whyNoTable(bytes)
    if (problem) throw new Error(`${name}: ${problem}.`)
    const next = new FileWorker({ name, bytes, labelColumn })
    // Ended at once: reading may be in the middle of something long.
    signal.addEventListener('abort', () => {
      if (worker !== next) next.end()
    })
    const summary = await next
      .open({
        signal,
        onNews: (share) => {
          if (!signal.aborted) activity.value = { kind: 'reading', share }
        },
      })
      .catch((error: Error) => {
        next.end()
        throw error
      })
    worker?.end()
    worker = next
    content = found
    batch(() => {
      file.value = summary
      result.value = undefined
      tried.value = []
      fileProblem.value = undefined
      sharedFile.value = shareable(found, labelColumn)
      if (isFresh) suit(summary)
    })
    say(`${name}: ${summary.rows} samples with ${summary.features.length} features`)
  })
  if (isRead) await trainFile()
}

/** Chooses what suits the file where the choices in force do not. */
function suit({ classes, isNumeric, features }: FileSummary): void {
  const { fileModel, file: choices } = state.value
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
  const { picture, leftOut } = choices
  const isOutside = picture !== 'pca' && Math.max(...picture) >= features.length
  if (isOutside || leftOut.length > 0) {
    change({ file: { ...choices, leftOut: [], ...(isOutside && { picture: 'pca' }) } })
  }
}

/** The model on show, as text. */
export function modelFiles(as: 'json' | 'libsvm'): Promise<ModelFiles> {
  if (!worker) throw new Error('no file is open')
  return worker.modelFiles(as)
}

/** Trains on the open file. */
export async function trainFile(): Promise<void> {
  const summary = file.value
  const own = worker
  if (!summary || !own) return
  const { fileModel: settings, file: choices } = state.value
  await work({ kind: 'training' }, async (signal) => {
    const { leftOut, ...options } = choices
    const learned = await own.fit(
      { number: ++count, settings, ...options, features: chosenFeatures(summary, leftOut), cells: CELLS },
      {
        signal,
        onNews: (news) => {
          if (!signal.aborted) activity.value = { kind: 'training', news }
        },
      },
    )
    const made = { ...learned, chosen: { settings, file: choices } }
    result.value = made
    tried.value = [...tried.value, made].slice(-MOST_TRIED)
    fileProblem.value = undefined
    say('Trained.')
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
function shareable({ name, bytes }: Content, labelColumn: string | undefined): typeof sharedFile.value {
  if (bytes.length > MOST_SHARED_BYTES) return 'unfit'
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { name, text, ...(labelColumn !== undefined && { labelColumn }) }
  } catch {
    return 'unfit'
  }
}
