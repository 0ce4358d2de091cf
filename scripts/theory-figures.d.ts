import type * as calibration from '../src/calibration.ts'
import type * as matrix from '../src/data/matrix/matrix.ts'
import type * as main from '../src/index.ts'
import type * as kernels from '../src/kernels.ts'
import type * as metrics from '../src/metrics.ts'
import type * as figure from '../src/plots/figure.ts'
import type * as series from '../src/plots/series.ts'
import type * as plots from '../src/plots.ts'
import type * as solvers from '../src/solvers.ts'

/** The entries that the figures are drawn with, in one object. */
export type Library = typeof main &
  typeof kernels &
  typeof metrics &
  typeof solvers &
  typeof calibration &
  typeof plots &
  Pick<typeof matrix, 'selectRows'> &
  Pick<typeof figure, 'drawFigure'> &
  Pick<typeof series, 'drawSeries'>

export function theoryFigures(library: Library): Promise<Record<string, string>>
