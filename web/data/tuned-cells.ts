/** The cells of a search: which is the best, and what it says about the settings. */
import type { FileCell } from '../files/file-messages.ts'
import type { Settings } from '../state/lab-state.ts'

/** The best first, all scores being better when greater; cells that lag by more than a fold are left out. */
export function ranked(cells: readonly FileCell[]): FileCell[] {
  const most = cells.reduce((count, { scores }) => Math.max(count, scores.length), 0)
  return cells
    .filter(({ mean, scores }) => !Number.isNaN(mean) && scores.length >= most - 1)
    .toSorted((a, b) => b.mean - a.mean)
}

/** The best of some cells; undefined if none has a score. */
export function bestOf(cells: readonly FileCell[]): FileCell | undefined {
  return ranked(cells)[0]
}

/** The settings with the parameters of a cell. */
export function cellSettings(settings: Settings, params: FileCell['params']): Settings {
  const { gamma, ...others } = params
  const { kernel } = settings
  return {
    ...settings,
    ...others,
    ...(gamma !== undefined && 'gamma' in kernel && { kernel: { ...kernel, gamma } }),
  }
}
