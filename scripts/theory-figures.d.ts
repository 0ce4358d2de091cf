import type * as everything from '../src/index.ts'
import type * as figure from '../src/plots/figure.ts'
import type * as series from '../src/plots/series.ts'

export function theoryFigures(
  library: typeof everything & Pick<typeof figure, 'drawFigure'> & Pick<typeof series, 'drawSeries'>,
): Promise<Record<string, string>>
