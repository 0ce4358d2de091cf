/**
 * The dual along the segment of a pair step, Φ(δ) = y_j (E_j − E_i) δ + ½ η δ² with δ = α_j − α_j before: the parabola whose
 * lowest point the step goes to, as far as L and H allow.
 */
import { formatNumber } from '../controls/fields.tsx'
import type { PairNumbers } from './box-figure.tsx'

const WIDTH = 290
const HEIGHT = 120
const SIDE = 26
const TOP = 12
const BOTTOM = 24
const PLACES = 48

/** See the header of the file. */
export function ParabolaFigure({ step }: { readonly step: PairNumbers }) {
  const { yj, errorI, errorJ, eta, low, high, oldAlphaJ, alphaJ, unclipped } = step
  const slope = yj * (errorJ - errorI)
  const value = (alpha: number) => slope * (alpha - oldAlphaJ) + 0.5 * eta * (alpha - oldAlphaJ) ** 2
  const lowest = Number.isFinite(unclipped) ? unclipped : alphaJ
  // From a little below to a little above everything that is marked, but not to a minimum far away, nor to a C far away.
  const reach = Math.max(Math.abs(alphaJ - oldAlphaJ), 1e-9)
  const near = (alpha: number) => Math.min(oldAlphaJ + 3 * reach, Math.max(oldAlphaJ - 3 * reach, alpha))
  const [from, to] = ends([near(low), near(high), oldAlphaJ, alphaJ, near(lowest)])
  const places = Array.from({ length: PLACES + 1 }, (_, k) => from + ((to - from) * k) / PLACES)
  const values = places.map(value)
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const x = (alpha: number) => SIDE + ((alpha - from) / (to - from)) * (WIDTH - 2 * SIDE)
  const y = (height: number) => TOP + ((most - height) / (most - least || 1)) * (HEIGHT - TOP - BOTTOM)
  const path = (inside: boolean) =>
    places
      .map((alpha, k) => ({ alpha, height: values[k] }))
      .filter(({ alpha }) => !inside || (alpha >= low && alpha <= high))
      .map(({ alpha, height }, k) => `${k === 0 ? 'M' : 'L'}${x(alpha).toFixed(1)} ${y(height).toFixed(1)}`)
      .join('')
  const isSeen = (alpha: number) => alpha >= from && alpha <= to
  const title = `The dual along the segment: it falls by ${formatNumber(-value(alphaJ), 3)}`
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} class="box-figure" role="img" aria-label={title}>
      <path d={path(false)} class="line-beyond" fill="none" />
      <path d={path(true)} class="segment" fill="none" />
      {[
        ['L', low],
        ['H', high],
      ].map(
        ([name, at]) =>
          isSeen(at as number) && (
            <g key={name}>
              <line
                class="line-beyond"
                x1={x(at as number)}
                x2={x(at as number)}
                y1={TOP}
                y2={HEIGHT - BOTTOM}
              />
              <text class="end" x={x(at as number)} y={HEIGHT - BOTTOM + 14} text-anchor="middle">
                {name}
              </text>
            </g>
          ),
      )}
      {isSeen(lowest) && <circle class="minimum" cx={x(lowest)} cy={y(value(lowest))} r="5" />}
      <circle class="old" cx={x(oldAlphaJ)} cy={y(value(oldAlphaJ))} r="5" />
      <circle class="new" cx={x(alphaJ)} cy={y(value(alphaJ))} r="5" />
      <text class="axis" x={WIDTH / 2} y={HEIGHT - 2} text-anchor="middle">
        α of j; height: the dual
      </text>
    </svg>
  )
}

function ends(marks: readonly number[]): [number, number] {
  const [least, most] = [Math.min(...marks), Math.max(...marks)]
  const room = 0.12 * (most - least) || 1
  return [least - room, most + room]
}
