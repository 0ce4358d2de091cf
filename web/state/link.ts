/** The state as text for the address bar: JSON, deflated, in the alphabet of URLs. What is broken is refused. */
import { initialState, type LabState, modes, presetNames, problemTypes } from './lab-state.ts'

/** Version of the text; a link of another version is refused. */
const VERSION = 1

/** What a link holds: the state, and a file of the user's where there is one. */
export interface Shared {
  readonly state: LabState
  /** Name and text of the file. */
  readonly file?: { readonly name: string; readonly text: string; readonly labelColumn?: string }
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
    return { ...found, state: { ...initialState, ...found.state } }
  } catch {
    throw new Error('this link is broken: it does not hold a state of the Lab')
  }
}

/** A link may come from anywhere: what would break the page is refused, the library checks the rest. */
function isState(found: LabState): boolean {
  const { mode, source, view, settings, race, tune } = found
  const sourceIsFine =
    source.kind === 'preset'
      ? presetNames.includes(source.name) && [source.size, source.noise, source.seed].every(Number.isFinite)
      : source.points.every(({ x, y, c }) => Number.isFinite(x) && Number.isFinite(y) && c in [0, 1, 2, 3])
  return (
    modes.includes(mode) &&
    sourceIsFine &&
    [view.x, view.y, view.half, view.stretch].every(Number.isFinite) &&
    problemTypes.includes(settings.problem) &&
    typeof settings.kernel.kind === 'string' &&
    race.length >= 2 &&
    Number.isInteger(tune.steps)
  )
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
