/** Chooses and compiles the build of `assembly/` that this machine can run best. */
import { slot } from '../../base/slot.ts'

/**
 * The builds, best first. All have the same exports, except for the last: the part of `simd` that predicts, which is all that
 * `hyperplane/predict` comes with.
 */
export type EngineBuild = 'relaxed' | 'simd' | 'scalar' | 'prediction'

/** As many numbers as there are names in a text: parameters of exports, which are all numbers. */
type Numbers<Names extends string> = Names extends `${string} ${infer Others}`
  ? [number, ...Numbers<Others>]
  : [number]

/** What `assembly/index.ts` exports; see there. Numbers are byte offsets, counts and flags. */
export interface EngineExports {
  work(...of: Numbers<'job scratch'>): void
  abandon(...of: Numbers<'job'>): void
  followPaths(...of: Numbers<'job space scratch budget'>): number
  setBytes(...of: Numbers<'n room'>): number
  makeSet(
    ...of: Numbers<'set capacity n room single target lower upper diagonal beta v groups rows tube tol'>
  ): number
  beginSet(...of: Numbers<'set'>): number
  stateBytes(...of: Numbers<'set'>): number
  neededRows(...of: Numbers<'set'>): number
  advanceSet(...of: Numbers<'set turns work'>): number
  findExtremes(...of: Numbers<'count v up low groups group out'>): void
  setRates(...of: Numbers<'count beta lower upper tube up low'>): void
  takeValues(...of: Numbers<'count target g beta tube v'>): number
  listBusy(...of: Numbers<'count v up low groups extremes list'>): number
  keepListed(...of: Numbers<'list count active v up low groups'>): void
  chooseSet(...of: Numbers<'round active'>): number
  fillSet(...of: Numbers<'round active out size filled anyone'>): number
  loadSet(...of: Numbers<'round kept bias otherBias'>): number
  finishSet(...of: Numbers<'round known computed'>): void
  storeSet(...of: Numbers<'round'>): void
  listChanges(...of: Numbers<'round made'>): number
  halfGain(...of: Numbers<'round tube'>): number
  mirror(...of: Numbers<'m K known count'>): void
  runPairLoop(
    ...of: Numbers<'count split K stride v up low diagonal beta lower upper tube goal maxSteps'>
  ): number
  gatherRows(...of: Numbers<'source chosen count target'>): void
  takeSums(...of: Numbers<'count plus minus rowOf values magnitudes'>): void
  unpackSums(...of: Numbers<'results count block outputs out'>): void
  boundGaussian(...of: Numbers<'count values magnitudes norms law errors'>): void
  boundByLength(...of: Numbers<'count values norms law degree errors'>): void
  listDecisive(...of: Numbers<'count rows values errors target beta lower upper groups tube list'>): number
  listGapTerms(
    ...of: Numbers<'count rows values errors target beta lower upper groups tube shift otherShift list'>
  ): number
  layOutRows(...of: Numbers<'matrix starts places count'>): void
  placeRows(...of: Numbers<'matrix count places starts width columns values moved'>): void
  pickColumns(...of: Numbers<'sources targets count columns width'>): void
  valuesWithErrors(...of: Numbers<'matrix w starts from to f errors'>): void
  combination(...of: Numbers<'matrix constant beta from to v low sums'>): void
  sumsOverRows(...of: Numbers<'losses f errors beta part from to sums'>): void
  sweep(...of: Numbers<'state block steps'>): void
  gradientSpread(...of: Numbers<'state f count'>): void
  relist(...of: Numbers<'state f count'>): void
  rowValues(...of: Numbers<'matrix constant w from to out'>): void
  addRows(...of: Numbers<'matrix constant factors from to out'>): void
  addProducts(...of: Numbers<'matrix constant factors from to x out'>): void
  addSquares(...of: Numbers<'matrix constant factors from to out'>): void
  lossTerms(...of: Numbers<'count isSquared isTube prices z lower upper shift'>): void
  lossSlopes(...of: Numbers<'losses f beta curvature from to'>): number
  lossSum(...of: Numbers<'losses f from to'>): number
  conjugateSum(...of: Numbers<'losses beta'>): number
  slopeAlong(...of: Numbers<'losses f q t from to bend'>): number
  addScaled(...of: Numbers<'n factor from to'>): void
  scaleAndAdd(...of: Numbers<'n factor from to'>): void
  addProductsOf(...of: Numbers<'n factor a b to'>): void
  invert(...of: Numbers<'n factor added values'>): void
  dot(...of: Numbers<'n a b'>): number
  difference(...of: Numbers<'n a b out'>): number
  listNonZero(...of: Numbers<'n values list'>): number
  countPositive(...of: Numbers<'n values'>): number
  gramEpochs(...of: Numbers<'n penalised square v w d image epochs aim'>): number
  transpose(...of: Numbers<'matrix rows starts indices values'>): void
  columnEpoch(...of: Numbers<'matrix penalised order active v w d pairs floor diagonal margin'>): number
  lossEpoch(...of: Numbers<'matrix penalised order active w s squares margin'>): number
  logisticSweep(
    ...of: Numbers<'matrix constant order count turns block from to z price squares beta wanted w least sums'>
  ): void
  classSweep(
    ...of: Numbers<'matrix constant k order counts visits y price norms alpha w classOrder activeClasses chosen gradient change all largest'>
  ): void
  rowGram(...of: Numbers<'matrix constant list from to dense target'>): void
  triangleBytes(...of: Numbers<'n'>): number
  solveFactored(...of: Numbers<'L n b'>): void
}

/** Builds as bytes, or as base64. Without the kind of their buffer: TypeScript before 5.7 does not read it in a declaration. */
type Binaries = Readonly<Partial<Record<EngineBuild, string | Uint8Array>>>

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
    const bytes = typeof binary === 'string' ? base64Bytes.current(binary) : binary
    module = new WebAssembly.Module(bytes as Uint8Array<ArrayBuffer>)
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
