/** Downloads: the model, the figure, and the code that makes the model again. */
import { signal } from '@preact/signals'
import { viewOfGrid } from '../data/file-plane.tsx'
import type { LibsvmForm } from '../files/file-messages.ts'
import { makeFigure } from '../plane/painting.ts'
import type { Scene } from '../plane/scene.ts'
import { theme } from '../plane/theme.ts'
import { say } from '../words/announcer.tsx'
import type { Grid, ModelFiles } from '../worker/messages.ts'

/** What can be taken away. */
export interface TakeAwayProps {
  /** Name of the files, without an ending. */
  readonly name: string
  readonly files: (as: 'json' | 'libsvm') => Promise<ModelFiles>
  /** How LIBSVM's format can hold the model. */
  readonly libsvm: LibsvmForm
  readonly scene: () => Scene
  readonly grid: Grid
  readonly snippet: () => string
  /** The text of a page about the model, where there is one. */
  readonly report?: () => Promise<string>
}

const problem = signal<string | undefined>(undefined)
const showsCode = signal(false)
/** What LIBSVM's format does not hold. */
const libsvmWords: Readonly<Record<LibsvmForm, string>> = {
  plain: '',
  folded:
    'LIBSVM’s format has no scaler: it is multiplied into the support vectors, which is exact for this model.',
  ranges:
    'LIBSVM’s format has no scaler, and for this kernel it cannot be folded into the vectors. Scale the data first: ' +
    'svm-scale -r with the file of ranges.',
  prepared:
    'LIBSVM’s format has numbers only: it cannot hold how the columns are prepared. The JSON model does, and predicts ' +
    'tables as they are.',
  none: 'LIBSVM has no such kernel: only JSON can hold this model.',
}
/** Width over height of figures. */
const ASPECT = 1.4

/** See the header of the file. */
export function TakeAway({ name, files, libsvm, scene, grid, snippet, report }: TakeAwayProps) {
  const model = async (kind: 'json' | 'libsvm') => {
    const text = (await files(kind))[kind] as string
    save(new Blob([text]), kind === 'json' ? `${name}.json` : `${name}.model`)
  }
  const ranges = async () => save(new Blob([(await files('libsvm')).ranges as string]), `${name}.range`)
  const figure = async (format: 'svg' | 'png') => {
    const request = { format, scene: scene(), view: viewOfGrid(grid, ASPECT), theme: theme.value }
    save(await makeFigure(request), `${name}.${format}`)
  }
  return (
    <section class="card" aria-labelledby="take-title">
      <h2 id="take-title">Take it with you</h2>
      <div class="row">
        <Save label="Model, JSON" act={() => model('json')} />
        {libsvm !== 'none' && libsvm !== 'prepared' && (
          <Save label="Model, LIBSVM" act={() => model('libsvm')} />
        )}
        {libsvm === 'ranges' && <Save label="Ranges, svm-scale" act={ranges} />}
        {report && (
          <Save
            label="Report, HTML"
            act={async () => save(new Blob([await report()], { type: 'text/html' }), `${name}.html`)}
          />
        )}
        <Save label="Figure, SVG" act={() => figure('svg')} />
        <Save label="Figure, PNG" act={() => figure('png')} />
        <Save
          label="TypeScript"
          act={async () => {
            showsCode.value = !showsCode.value
          }}
        />
      </div>
      {libsvmWords[libsvm] && <p class="quiet">{libsvmWords[libsvm]}</p>}
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

/** Downloads. */
export function save(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
