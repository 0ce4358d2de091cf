/** The state of the Lab that shows what a figure of docs/theory shows: "open in the Lab" under the figure leads there. */
import { initialState, type LabState } from '../state/lab-state.ts'

const { settings } = initialState
const linear = { kind: 'linear' } as const
const clouds = {
  source: { kind: 'preset', name: 'blobs', size: 60, noise: 1.6, seed: 4 },
  view: { x: 0, y: 0, half: 6, stretch: 1 },
} as const
const rbf = (gamma: number) => ({ kind: 'rbf', gamma }) as const

/** By the name of the figure's file. */
export const figureStates: Readonly<Record<string, Partial<LabState>>> = {
  'margin.svg': { ...clouds, settings: { ...settings, kernel: linear, C: 1 } },
  'losses.svg': { ...clouds, settings: { ...settings, kernel: linear, C: 0.1 } },
  'effect-of-c.svg': { ...clouds, settings: { ...settings, kernel: linear, C: 0.01 } },
  'effect-of-gamma.svg': { settings: { ...settings, kernel: rbf(40), C: 1 } },
  'bounds.svg': { mode: 'watch', settings: { ...settings, solver: 'smo' } },
  'closing.svg': { mode: 'watch', settings: { ...settings, solver: 'smo-mvp' } },
  'box.svg': {
    mode: 'watch',
    ...clouds,
    settings: { ...settings, kernel: linear, C: 0.3, solver: 'smo-mvp' },
  },
  'choices.svg': { mode: 'race', race: ['smo', 'smo-mvp', 'smo-random'] },
  'lift.svg': {
    source: { kind: 'preset', name: 'example37', size: 3, noise: 0, seed: 1 },
    view: { x: 0, y: 0.5, half: 1, stretch: 1 },
    settings: { ...settings, kernel: linear, C: 10 },
  },
  'tube.svg': {
    source: { kind: 'preset', name: 'sine', size: 80, noise: 0.2, seed: 1 },
    view: { x: 0, y: 0, half: 2, stretch: 1.6 },
    settings: { ...settings, problem: 'svr' },
  },
  'one-class.svg': { settings: { ...settings, problem: 'one-class', kernel: rbf(2), nu: 0.1 } },
  // The Lab does not calibrate; these are decision values to be calibrated.
  'calibration.svg': { ...clouds, settings: { ...settings, kernel: rbf(0.1), C: 1 } },
}
