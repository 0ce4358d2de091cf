/** The state as text for the address bar: JSON, deflated, in the alphabet of URLs. What is broken is refused. */
import { solverWords } from '../controls/solver-names.ts'
import { columnPicks, type TableChoices } from '../files/file-messages.ts'
import {
  type FileSettings,
  initialState,
  type LabState,
  layers,
  modes,
  presetNames,
  problemTypes,
  type Settings,
  type TuneSettings,
} from './lab-state.ts'

/** Version of the text; a link of another version is refused. */
const VERSION = 1

/** What a link holds: the state, and a file of the user's where there is one. */
export interface Shared {
  readonly state: LabState
  /** The frame that Watch shows. */
  readonly frame?: number
  /** Name and text of the file, and how it is to be read. */
  readonly file?: { readonly name: string; readonly text: string; readonly choices?: TableChoices }
}

/** Text for the part of an address after `#`. */
export async function toLink(shared: Shared): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify({ version: VERSION, ...shared }))
  const packed = await through(bytes, new CompressionStream('deflate-raw'))
  return `lab=${toBase64Url(packed)}`
}

/** Reads what {@link toLink} made; undefined when there is nothing to read. Throws when the text is broken. */
export async function fromLink(hash: string): Promise<Shared | undefined> {
  const text = /^#?lab=([\w-]*)$/.exec(hash)?.[1]
  if (text === undefined) return undefined
  try {
    const bytes = await through(fromBase64Url(text), new DecompressionStream('deflate-raw'))
    const found = JSON.parse(new TextDecoder().decode(bytes)) as Shared & { version: number }
    if (found.version !== VERSION || !isState(found.state)) throw new Error('not a state')
    if (found.file?.choices && !isTableChoice(found.file.choices)) throw new Error('not a way to read a file')
    const file = { ...initialState.file, ...found.state.file }
    // Older links have one model for plane and file.
    const fileModel = found.state.fileModel ?? (found.file ? found.state.settings : initialState.fileModel)
    if (!(found.frame === undefined || (Number.isInteger(found.frame) && found.frame >= 0)))
      throw new Error('not a frame')
    // What older links lack is as at the start.
    const settings = { ...initialState.settings, ...found.state.settings }
    const own = { ...initialState.fileModel, ...fileModel }
    return { ...found, state: { ...initialState, ...found.state, settings, file, fileModel: own } }
  } catch {
    throw new Error('this link is broken: it does not contain a state of the Lab')
  }
}

/** A link may come from anywhere: what would break the page is refused, the library checks the rest. */
function isState(found: LabState): boolean {
  const {
    mode,
    source,
    view,
    tool,
    settings,
    race,
    tune,
    file,
    fileModel = settings,
    hidden = [],
    heldOut = 0,
    votes = false,
    pair = [0, 1],
  } = found
  const sourceIsFine =
    source.kind === 'preset'
      ? presetNames.includes(source.name) &&
        [source.size, source.noise].every(Number.isFinite) &&
        isSeed(source.seed)
      : source.points.every(({ x, y, c }) => Number.isFinite(x) && Number.isFinite(y) && c in [0, 1, 2, 3])
  return (
    modes.includes(mode) &&
    sourceIsFine &&
    [view.x, view.y, view.half, view.stretch].every(Number.isFinite) &&
    view.half > 0 &&
    view.stretch > 0 &&
    [0, 1, 2, 3, 'erase', 'pan'].includes(tool) &&
    hidden.every((name) => layers.includes(name)) &&
    typeof votes === 'boolean' &&
    pair.length === 2 &&
    pair[0] !== pair[1] &&
    pair.every((c) => [0, 1, 2, 3].includes(c)) &&
    heldOut >= 0 &&
    heldOut <= 0.9 &&
    [settings, fileModel].every(isModel) &&
    race.every((name) => Object.hasOwn(solverWords, name)) &&
    race.length >= 2 &&
    race.length <= 4 &&
    isGrid(tune) &&
    isFileChoice(file)
  )
}

/** Seeds are whole numbers; the slider of noise counts them up. */
function isSeed(seed: unknown): boolean {
  return Number.isSafeInteger(seed) && (seed as number) >= 0 && (seed as number) < 2 ** 32
}

function isModel({ problem, kernel, solver, seed = 0 }: Settings): boolean {
  const isKnown = problemTypes.includes(problem) && Object.hasOwn(solverWords, solver)
  return isKnown && isKernel(kernel) && isSeed(seed)
}

const plainKernels: readonly unknown[] = ['linear', 'polynomial', 'rbf', 'sigmoid']

/** The kernels that the editor of kernels knows. */
function isKernel(spec: unknown): boolean {
  const { kind, of } = spec as { kind: unknown; of: unknown }
  if (kind === 'sum' || kind === 'product') return Array.isArray(of) && of.length > 0 && of.every(isKernel)
  return kind === 'scale' || kind === 'shift' || kind === 'exp' ? isKernel(of) : plainKernels.includes(kind)
}

function isGrid({ C, gamma, steps, folds }: TuneSettings): boolean {
  const isCount = (count: number) => Number.isInteger(count) && count >= 2 && count <= 20
  return [steps, folds].every(isCount) && [...C, ...gamma].every(Number.isFinite)
}

function isFileChoice({ holdOut, picture }: FileSettings): boolean {
  const places = picture === 'pca' ? [] : picture
  return holdOut >= 0 && holdOut < 1 && places.every((place) => Number.isInteger(place) && place >= 0)
}

/** What the readers do not check themselves. */
function isTableChoice({ columns = {}, missing = 'drop' }: TableChoices): boolean {
  return missing === 'drop' && Object.values(columns).every((pick) => columnPicks.includes(pick))
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const piped = new Blob([bytes]).stream().pipeThrough(stream)
  return new Uint8Array(await new Response(piped).arrayBuffer())
}

function toBase64Url(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
}
