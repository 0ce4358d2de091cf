/** The file in "Your data": what it holds, what was learned from it, and what is going on. */
import { batch, effect, signal } from '@preact/signals'
import { linkedFile } from '../state/address.ts'
import { sharedFile } from '../state/shared-file.ts'
import { change, configure, state } from '../state/store.ts'
import { say } from '../words/announcer.tsx'
import { Cancelled, jobWorker } from '../worker/client.ts'
import type { FileResult, FileSummary, Jobs } from '../worker/messages.ts'

/** What the open file holds. */
export const file = signal<FileSummary | undefined>(undefined)
/** What was learned from it last. */
export const result = signal<FileResult | undefined>(undefined)
/** What went wrong, in the words of the command line. */
export const fileProblem = signal<string | undefined>(undefined)
/** Reading or training, and how far. */
export const activity = signal<
  | { readonly kind: 'reading'; readonly share: number }
  | { readonly kind: 'training'; readonly news?: Jobs['fit']['news'] }
  | undefined
>(undefined)
/** Positions of the features that are left out. */
export const leftOut = signal<ReadonlySet<number>>(new Set())

/** Files up to this size go into links. */
const MOST_SHARED_BYTES = 1_000_000
/** Columns and rows of the field. */
const CELLS = [100, 72] as const

let content: { readonly name: string; readonly bytes: Uint8Array } | undefined
let controller: AbortController | undefined

/** Opens the file that came with a link, once. */
export function followLinkedFile(): void {
  effect(() => {
    const linked = linkedFile.value
    if (!linked) return
    linkedFile.value = undefined
    const { name, text, labelColumn } = linked
    content = { name, bytes: new TextEncoder().encode(text) }
    void read(labelColumn)
  })
}

/** Opens a file that was dropped or chosen. */
export async function openFile(dropped: File): Promise<void> {
  const bytes = new Uint8Array(await dropped.arrayBuffer())
  content = { name: dropped.name, bytes }
  await read(undefined, true)
}

/** Reads the file again with another column as the label. */
export function chooseLabel(column: string): void {
  void read(column, true)
}

/** Ends reading or training. */
export function cancelFile(): void {
  controller?.abort()
}

/** With `chooses` the problem follows the labels: classes, or numbers to predict. A link brings its own. */
async function read(labelColumn?: string, chooses = false): Promise<void> {
  if (!content) return
  const { name, bytes } = content
  await work({ kind: 'reading', share: 0 }, async (signal) => {
    const summary = await jobWorker.call(
      'open',
      { name, bytes, labelColumn },
      {
        signal,
        onNews: (share) => {
          activity.value = { kind: 'reading', share }
        },
      },
    )
    batch(() => {
      file.value = summary
      result.value = undefined
      leftOut.value = new Set()
      fileProblem.value = undefined
      sharedFile.value = shareable(name, bytes, labelColumn)
    })
    const isRegression = state.value.settings.problem === 'regression'
    const hasTargets = summary.classes.length === 0 && summary.isNumeric
    if (chooses && hasTargets !== isRegression) {
      configure({ problem: hasTargets ? 'regression' : 'c-svc', solver: 'smo' })
    }
    say(`${name}: ${summary.rows} samples with ${summary.features.length} features`)
    const { picture } = state.value.file
    if (picture !== 'pca' && Math.max(...picture) >= summary.features.length) {
      change({ file: { ...state.value.file, picture: 'pca' } })
    }
  })
  if (file.value && !fileProblem.value) await trainFile()
}

/** Trains on the open file. */
export async function trainFile(): Promise<void> {
  const summary = file.value
  if (!summary) return
  const { settings, file: options } = state.value
  await work({ kind: 'training' }, async (signal) => {
    const features = summary.features.map((_, j) => j).filter((j) => !leftOut.value.has(j))
    result.value = await jobWorker.call(
      'fit',
      { settings, ...options, features, cells: CELLS },
      {
        signal,
        onNews: (news) => {
          activity.value = { kind: 'training', news }
        },
      },
    )
    fileProblem.value = undefined
    say('Trained.')
  })
}

/** Does one thing at a time, and says what goes wrong. */
async function work(
  first: NonNullable<typeof activity.value>,
  act: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  controller?.abort()
  const own = new AbortController()
  controller = own
  activity.value = first
  try {
    await act(own.signal)
  } catch (error) {
    if (!(error instanceof Cancelled)) fileProblem.value = (error as Error).message
  }
  if (controller === own) activity.value = undefined
}

/** The file as a link may hold it: text, and not too much of it. */
function shareable(name: string, bytes: Uint8Array, labelColumn: string | undefined) {
  if (bytes.length > MOST_SHARED_BYTES) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { name, text, ...(labelColumn !== undefined && { labelColumn }) }
  } catch {
    return undefined
  }
}
