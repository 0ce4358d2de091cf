/** Chooses and compiles the build of `assembly/` that this machine can run best. */
import { slot } from '../../base/slot.ts'

/**
 * The builds, best first. All have the same exports, except for the last: the part of `simd` that predicts, which is all that
 * `hyperplane/predict` comes with.
 */
export type EngineBuild = 'relaxed' | 'simd' | 'scalar' | 'prediction'

/** What `assembly/index.ts` exports; see there. Numbers are byte offsets, counts and flags. */
export interface EngineExports {
  work(job: number, scratch: number): void
  abandon(job: number): void
  followPaths(job: number, space: number, scratch: number, budget: number): number
  setBytes(n: number, room: number): number
  makeSet(
    set: number,
    capacity: number,
    n: number,
    room: number,
    single: number,
    target: number,
    lower: number,
    upper: number,
    diagonal: number,
    beta: number,
    v: number,
    groups: number,
    rows: number,
    tube: number,
    tol: number,
  ): number
  beginSet(set: number): number
  stateBytes(set: number): number
  neededRows(set: number): number
  advanceSet(set: number, turns: number, work: number): number
  findExtremes(
    count: number,
    v: number,
    up: number,
    low: number,
    groups: number,
    group: number,
    out: number,
  ): void
  setRates(
    count: number,
    beta: number,
    lower: number,
    upper: number,
    tube: number,
    up: number,
    low: number,
  ): void
  takeValues(count: number, target: number, g: number, beta: number, tube: number, v: number): number
  listBusy(
    count: number,
    v: number,
    up: number,
    low: number,
    groups: number,
    extremes: number,
    list: number,
  ): number
  keepListed(
    list: number,
    count: number,
    active: number,
    v: number,
    up: number,
    low: number,
    groups: number,
  ): void
  chooseSet(round: number, active: number): number
  fillSet(round: number, active: number, out: number, size: number, filled: number, anyone: number): number
  loadSet(round: number, kept: number, bias: number, otherBias: number): number
  finishSet(round: number, known: number, computed: number): void
  storeSet(round: number): void
  listChanges(round: number, made: number): number
  halfGain(round: number, tube: number): number
  mirror(m: number, K: number, known: number, count: number): void
  runPairLoop(
    count: number,
    split: number,
    K: number,
    stride: number,
    v: number,
    up: number,
    low: number,
    diagonal: number,
    beta: number,
    lower: number,
    upper: number,
    tube: number,
    goal: number,
    maxSteps: number,
  ): number
  gatherRows(source: number, chosen: number, count: number, target: number): void
  pickColumns(sources: number, targets: number, count: number, columns: number, width: number): void
  sweep(state: number, steps: number): void
  rowValues(matrix: number, constant: number, w: number, from: number, to: number, out: number): void
  addRows(matrix: number, constant: number, factors: number, from: number, to: number, out: number): void
  addProducts(
    matrix: number,
    constant: number,
    factors: number,
    from: number,
    to: number,
    x: number,
    out: number,
  ): void
  addSquares(matrix: number, constant: number, factors: number, from: number, to: number, out: number): void
  addGram(
    matrix: number,
    constant: number,
    factors: number,
    list: number,
    from: number,
    to: number,
    target: number,
  ): void
  lossSlopes(losses: number, f: number, beta: number, curvature: number): number
  lossSum(losses: number, f: number): number
  conjugateSum(losses: number, beta: number): number
  slopeAlong(losses: number, f: number, q: number, t: number, bend: number): number
  addScaled(n: number, factor: number, from: number, to: number): void
  difference(n: number, a: number, b: number, out: number): number
  countPositive(n: number, values: number): number
  rowGram(
    matrix: number,
    constant: number,
    list: number,
    from: number,
    to: number,
    dense: number,
    target: number,
  ): void
  triangleBytes(n: number): number
  factorRows(L: number, n: number, from: number, to: number): void
  solveFactored(L: number, n: number, b: number): void
}

/** Builds as bytes, or as base64. */
type Binaries = Readonly<Partial<Record<EngineBuild, string | Uint8Array<ArrayBuffer>>>>

/** The builds that are here: none until the entry of the package (or its platform) says which it comes with. */
const engineBinaries = slot<Binaries>({})
const compiled = new Map<EngineBuild, WebAssembly.Module>()
/** The build that engines use, and whether there can be any: undefined until that is known. */
const chosen = slot<EngineBuild | undefined>(undefined)
const exists = slot<boolean | undefined>(undefined)

/**
 * Selects the build that engines use from now on; undefined selects the best one. Different machines give the same bits with
 * the same build (but for `relaxed`, whose rounding is the machine's own).
 */
export function chooseEngineBuild(build: EngineBuild | undefined): void {
  chosen.install(build)
}

/** Installs the builds that a program comes with. Later ones take the place of those that are there. */
export function installBuilds(binaries: Binaries): void {
  engineBinaries.install(binaries)
  chosen.install(undefined)
  exists.install(undefined)
}

/** Whether builds are installed. */
export function hasBuilds(): boolean {
  return Object.keys(engineBinaries.current).length > 0
}

/** The builds there are, best first. */
const builds = ['relaxed', 'simd', 'scalar', 'prediction'] as const

/** Whether this machine can run any of the builds. Where it cannot, plain code does everything. */
export function engineExists(): boolean {
  if (exists.current === undefined) exists.install(canShareMemory() && currentBuild() !== undefined)
  return exists.current === true
}

/** Leaves everything on this thread to plain code from now on, as where there is no engine. */
export function forgoEngine(): void {
  exists.install(false)
}

/** Whether it has turned out that there is no engine; does not look for one. */
export function engineIsMissing(): boolean {
  return exists.current === false
}

/** All builds are made for shared memory. Tried once: each memory takes gigabytes of the address space. */
function canShareMemory(): boolean {
  try {
    return new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }) !== undefined
  } catch {
    return false
  }
}

/** The build that new engines use, where there can be any. */
export function currentBuild(): EngineBuild {
  const build = chosen.current ?? (builds.find((build) => compile(build) !== undefined) as EngineBuild)
  chosen.install(build)
  return build
}

/** The build that this process computes with, by name: others give other bits. */
export function buildName(): string {
  return engineExists() ? currentBuild() : 'none'
}

/** The compiled module of the current build; compiled once. */
export function compileEngine(): { module: WebAssembly.Module; build: EngineBuild } {
  const build = currentBuild()
  return { module: compile(build) as WebAssembly.Module, build }
}

/** Uses a module that another thread has compiled: this one needs no builds of its own. */
export function useCompiledEngine({
  module,
  build,
}: {
  module: WebAssembly.Module
  build: EngineBuild
}): void {
  compiled.set(build, module)
  chosen.install(build)
}

/**
 * The compiled module of a build; undefined where it is not here, or this machine cannot run it. Validating it first would
 * take as long.
 */
function compile(build: EngineBuild): WebAssembly.Module | undefined {
  let module = compiled.get(build)
  if (module) return module
  try {
    const binary = engineBinaries.current[build]
    if (binary === undefined) return undefined
    module = new WebAssembly.Module(typeof binary === 'string' ? base64Bytes.current(binary) : binary)
  } catch {
    return undefined
  }
  compiled.set(build, module)
  return module
}

/** Bytes of base64. Platforms that have a faster way install it: this is part of every start. */
export const base64Bytes = slot((text: string): Uint8Array<ArrayBuffer> => {
  const characters = atob(text)
  // A loop: an iterator over the characters takes ten times as long.
  const bytes = new Uint8Array(characters.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i)
  return bytes
})
