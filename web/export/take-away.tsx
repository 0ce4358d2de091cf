/** Downloads: the model, the figure, and the code that makes the model again. */
import { signal } from '@preact/signals'
import { viewOfGrid } from '../data/file-plane.tsx'
import { makeFigure } from '../plane/painting.ts'
import type { Scene } from '../plane/scene.ts'
import { theme } from '../plane/theme.ts'
import { say } from '../words/announcer.tsx'
import { jobWorker } from '../worker/client.ts'
import type { Grid, Jobs } from '../worker/messages.ts'

/** What can be taken away. */
export interface TakeAwayProps {
  /** Name of the files, without an ending. */
  readonly name: string
  readonly ask: Jobs['export']['ask']
  readonly scene: () => Scene
  readonly grid: Grid
  readonly snippet: () => string
}

const problem = signal<string | undefined>(undefined)
const showsCode = signal(false)
/** Width over height of figures. */
const ASPECT = 1.4

/** See the head of the file. */
export function TakeAway({ name, ask, scene, grid, snippet }: TakeAwayProps) {
  const model = async (kind: 'json' | 'libsvm') => {
    const files = await jobWorker.call('export', ask)
    const text = files[kind]
    if (text === undefined) throw new Error(files.libsvmProblem)
    save(new Blob([text]), kind === 'json' ? `${name}.json` : `${name}.model`)
  }
  const figure = async (format: 'svg' | 'png') => {
    const request = { format, scene: scene(), view: viewOfGrid(grid, ASPECT), theme: theme.value }
    save(await makeFigure(request), `${name}.${format}`)
  }
  return (
    <section class="card" aria-labelledby="take-title">
      <h2 id="take-title">Take it with you</h2>
      <div class="row">
        <Save label="Model, JSON" act={() => model('json')} />
        <Save label="Model, LIBSVM" act={() => model('libsvm')} />
        <Save label="Figure, SVG" act={() => figure('svg')} />
        <Save label="Figure, PNG" act={() => figure('png')} />
        <Save
          label="TypeScript"
          act={async () => {
            showsCode.value = !showsCode.value
          }}
        />
      </div>
      {problem.value && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {showsCode.value && <Code text={snippet()} />}
    </section>
  )
}

function Save({ label, act }: { readonly label: string; readonly act: () => Promise<void> }) {
  return (
    <button
      type="button"
      onClick={async () => {
        try {
          await act()
          problem.value = undefined
        } catch (error) {
          problem.value = (error as Error).message
        }
      }}
    >
      {label}
    </button>
  )
}

function Code({ text }: { readonly text: string }) {
  return (
    <>
      <textarea class="code" readonly rows={12} aria-label="TypeScript that trains this model" value={text} />
      <div class="row">
        <button
          type="button"
          onClick={async () => {
            await navigator.clipboard.writeText(text).then(
              () => say('Copied.'),
              () => say('The clipboard is not available.'),
            )
          }}
        >
          Copy
        </button>
        <button type="button" onClick={() => save(new Blob([text]), 'train.ts')}>
          Save as train.ts
        </button>
      </div>
      <p>
        <a href="./docs/api/README.html" target="_blank" rel="noopener">
          API reference
        </a>
      </p>
    </>
  )
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
