/**
 * The box of a pair step: both multipliers between 0 and C, the diagonal that the balance leaves them, its ends L and H,
 * where the step began, where the parabola along the diagonal is lowest, and where the step ended.
 */
import { formatNumber } from '../controls/fields.tsx'

/** A step as ../worker/messages.ts names its numbers. */
export type PairNumbers = Readonly<Record<string, number>>

const SIZE = 170
const FROM = 40
const TO = FROM + SIZE
const WIDTH = 290
const HEIGHT = 236
const MOST_ZOOM = 12

/** See the header of the file; `C` is the bound of both, and has a name. */
export function BoxFigure(props: { readonly step: PairNumbers; readonly C: number; readonly name?: string }) {
  const { step, C, name = 'C' } = props
  const { yi, yj, low, oldAlphaI, oldAlphaJ, alphaI, alphaJ, unclipped } = step
  const sign = yi * yj
  const largest = Math.max(oldAlphaI, oldAlphaJ, alphaI, alphaJ)
  // Where C is far away, only the corner that matters is drawn, open towards C.
  const isOpen = C > MOST_ZOOM * largest
  const bound = isOpen ? 1.6 * largest : C
  const high = Math.min(step.high, bound, sign < 0 ? bound - (oldAlphaI - oldAlphaJ) : bound)
  const x = (alpha: number) => FROM + (alpha / bound) * SIZE
  const y = (alpha: number) => TO - 8 - (alpha / bound) * SIZE
  /** α_i on the diagonal, for an α_j. */
  const other = (value: number) => oldAlphaI + sign * (oldAlphaJ - value)
  // A minimum far outside is drawn at the rim of the figure, as an arrow would point to it.
  const shown = Math.min(high + 0.2 * bound, Math.max(low - 0.2 * bound, unclipped))
  const clipped = Number.isFinite(unclipped) && (unclipped < low || unclipped > step.high)
  const title =
    `α_j may lie between ${formatNumber(low)} and ${formatNumber(step.high)}; it moved from ` +
    `${formatNumber(oldAlphaJ)} to ${formatNumber(alphaJ)}`
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} class="box-figure" role="img" aria-label={title}>
      <path d={`M${FROM} ${y(bound)}V${y(0)}H${TO}`} class="box" />
      <path d={`M${TO} ${y(0)}V${y(bound)}H${FROM}`} class={isOpen ? 'box open' : 'box'} />
      <text x={FROM - 8} y={y(0) + 14} text-anchor="end">
        0
      </text>
      <text x={TO} y={y(0) + 16} text-anchor="middle">
        {isOpen ? `→ ${name}` : name}
      </text>
      <text x={FROM - 8} y={y(bound) + 5} text-anchor="end">
        {isOpen ? '↑' : name}
      </text>
      <text x={(FROM + TO) / 2} y={y(0) + 30} text-anchor="middle" class="axis">
        α of i
      </text>
      <text
        x={16}
        y={(y(0) + y(bound)) / 2}
        text-anchor="middle"
        class="axis"
        transform={`rotate(-90 16 ${(y(0) + y(bound)) / 2})`}
      >
        α of j
      </text>
      <line
        class="line-beyond"
        x1={x(other(low - 0.12 * bound))}
        y1={y(low - 0.12 * bound)}
        x2={x(other(high + 0.12 * bound))}
        y2={y(high + 0.12 * bound)}
      />
      <line class="segment" x1={x(other(low))} y1={y(low)} x2={x(other(high))} y2={y(high)} />
      <End name="L" x={x(other(low))} y={y(low)} below />
      {!isOpen && high > low && <End name="H" x={x(other(high))} y={y(high)} />}
      {Number.isFinite(unclipped) && (
        <>
          {clipped && <line class="clip" x1={x(other(shown))} y1={y(shown)} x2={x(alphaI)} y2={y(alphaJ)} />}
          <circle class="minimum" cx={x(other(shown))} cy={y(shown)} r="5" />
        </>
      )}
      <line class="move" x1={x(oldAlphaI)} y1={y(oldAlphaJ)} x2={x(alphaI)} y2={y(alphaJ)} />
      <circle class="old" cx={x(oldAlphaI)} cy={y(oldAlphaJ)} r="5" />
      <circle class="new" cx={x(alphaI)} cy={y(alphaJ)} r="5" />
    </svg>
  )
}

/** The marks of the figure, in words. */
export function BoxLegend() {
  return (
    <p class="chart-legend">
      <span>
        <svg viewBox="0 0 12 12" width="12" height="12" class="box-figure" aria-hidden="true">
          <circle class="old" cx="6" cy="6" r="4.5" />
        </svg>
        before
      </span>
      <span>
        <svg viewBox="0 0 12 12" width="12" height="12" class="box-figure" aria-hidden="true">
          <circle class="minimum" cx="6" cy="6" r="4.5" />
        </svg>
        lowest point
      </span>
      <span>
        <svg viewBox="0 0 12 12" width="12" height="12" class="box-figure" aria-hidden="true">
          <circle class="new" cx="6" cy="6" r="4.5" />
        </svg>
        after clipping
      </span>
    </p>
  )
}

function End(props: {
  readonly name: string
  readonly x: number
  readonly y: number
  readonly below?: boolean
}) {
  const { name, x, y, below = false } = props
  return (
    <text class="end" x={x + 10} y={below ? y + 5 : y - 2}>
      {name}
    </text>
  )
}
