/** The cells of a search: which is the best, and what it says about the settings. */
import type { FileCell } from '../files/file-messages.ts'
import type { Settings } from '../state/lab-state.ts'

/** The best first. */
export function ranked(cells: readonly FileCell[]): FileCell[] {
  return cells.filter(({ mean }) => !Number.isNaN(mean)).toSorted((a, b) => b.mean - a.mean)
}

/** The best of some cells, all scores being better when greater; undefined if none has a score. */
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
