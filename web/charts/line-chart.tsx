/** Curves over one axis, with a cursor that moves without the curves being drawn again. */
import type { ReadonlySignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { formatNumber } from '../controls/fields.tsx'
import { ticks } from '../plane/view.ts'
import { isNarrow } from '../plane/viewport.ts'

/** One curve. */
export interface Curve {
  readonly name: string
  /** Which of the four colours of curves. */
  readonly colour: number
  readonly x: ArrayLike<number>
  readonly y: ArrayLike<number>
}

/** What {@link LineChart} shows. */
export interface LineChartProps {
  readonly title: string
  readonly curves: readonly Curve[]
  readonly xLabel: string
  readonly log?: boolean
  /** Whether the horizontal axis is logarithmic; what lies at 0 is then left out. */
  readonly logX?: boolean
  /** Twice as wide as other charts, where there is room. */
  readonly wide?: boolean
  readonly height?: number
  /** Where the cursor stands, in units of x. */
  readonly cursor?: ReadonlySignal<number>
}

const NARROW = 380
const WIDE = 760
const LEFT = 62
const RIGHT = 10
const TOP = 10
const BOTTOM = 34
/** More points than pixels would only cost time. */
const MOST_POINTS = 700
const dashes = ['', '6 3', '2 3', '8 3 2 3']

interface Scale {
  readonly at: (value: number) => number
  readonly ticks: readonly number[]
}

/** See the header of the file. */
export function LineChart(props: LineChartProps) {
  const { title, curves, xLabel, log = false, logX = false, wide = false, height = 200, cursor } = props
  const width = wide && !isNarrow.value ? WIDE : NARROW
  const drawn = useMemo(() => layOut(curves, log, logX, width, height), [curves, log, logX, width, height])
  if (!drawn) {
    return (
      <figure class="chart">
        <figcaption>{title}</figcaption>
        <p class="quiet">Nothing to draw: no finite values.</p>
      </figure>
    )
  }
  const { x, y, paths } = drawn
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title}>
        {y.ticks.map((value) => (
          <g key={value}>
            <line class="grid" x1={LEFT} x2={width - RIGHT} y1={y.at(value)} y2={y.at(value)} />
            <text x={LEFT - 6} y={y.at(value) + 4} text-anchor="end">
              {formatNumber(value)}
            </text>
          </g>
        ))}
        {apart(x).map((value) => (
          <text key={value} x={x.at(value)} y={height - BOTTOM + 16} text-anchor="middle">
            {formatNumber(value)}
          </text>
        ))}
        <text class="axis" x={(LEFT + width - RIGHT) / 2} y={height - 3} text-anchor="middle">
          {xLabel}
        </text>
        {paths.map((path, k) => (
          <path
            key={curves[k].name}
            class={`curve curve-${curves[k].colour}`}
            stroke-dasharray={dashes[curves[k].colour]}
            d={path}
          />
        ))}
        {cursor && <Cursor cursor={cursor} x={x} height={height} />}
      </svg>
      {curves.length > 1 && (
        <p class="chart-legend">
          {curves.map(({ name, colour }) => (
            <span key={name}>
              <svg viewBox="0 0 22 8" width="22" height="8" aria-hidden="true">
                <path class={`curve curve-${colour}`} stroke-dasharray={dashes[colour]} d="M0 4h22" />
              </svg>
              {name}
            </span>
          ))}
        </p>
      )}
    </figure>
  )
}

/** Pixels that a character of a tick takes, and the least space between two ticks. */
const CHARACTER = 6
const SPACE = 8

/** The ticks of a horizontal axis that do not run into the one before. */
function apart({ ticks: all, at }: Scale): number[] {
  let free = Number.NEGATIVE_INFINITY
  return all.filter((value) => {
    const half = (CHARACTER * formatNumber(value).length) / 2
    if (at(value) - half < free) return false
    free = at(value) + half + SPACE
    return true
  })
}

function Cursor(props: {
  readonly cursor: ReadonlySignal<number>
  readonly x: Scale
  readonly height: number
}) {
  const at = props.x.at(props.cursor.value)
  if (!Number.isFinite(at)) return null
  return <line class="cursor" x1={at} x2={at} y1={TOP} y2={props.height - BOTTOM} />
}

function layOut(curves: readonly Curve[], log: boolean, logX: boolean, width: number, height: number) {
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity]
  const usable = (at: number, value: number) =>
    Number.isFinite(value) && (!log || value > 0) && (!logX || at > 0)
  for (const { x, y } of curves) {
    for (let k = 0; k < x.length; k++) {
      if (!usable(x[k], y[k])) continue
      left = Math.min(left, x[k])
      right = Math.max(right, x[k])
      bottom = Math.min(bottom, y[k])
      top = Math.max(top, y[k])
    }
  }
  if (!(right >= left)) return undefined
  if (right === left) right = left + 1
  const x = logX
    ? logScale(left, right, LEFT, width - RIGHT)
    : linearScale(left, right, LEFT, width - RIGHT, width / 76)
  const y = log
    ? logScale(bottom, top, height - BOTTOM, TOP)
    : linearScale(bottom, top === bottom ? bottom + 1 : top, height - BOTTOM, TOP, 4)
  const paths = curves.map((curve) => {
    const stride = Math.max(1, Math.ceil(curve.x.length / MOST_POINTS))
    let path = ''
    for (let k = 0; k < curve.x.length; k++) {
      if ((k % stride !== 0 && k !== curve.x.length - 1) || !usable(curve.x[k], curve.y[k])) continue
      path += `${path === '' ? 'M' : 'L'}${x.at(curve.x[k]).toFixed(1)} ${y.at(curve.y[k]).toFixed(1)}`
    }
    return path
  })
  return { x, y, paths }
}

function linearScale(from: number, to: number, start: number, end: number, count: number): Scale {
  return {
    at: (value) => start + ((value - from) / (to - from)) * (end - start),
    ticks: ticks(from, to, count),
  }
}

function logScale(from: number, to: number, start: number, end: number): Scale {
  const low = Math.floor(Math.log10(from))
  const high = Math.max(low + 1, Math.ceil(Math.log10(to)))
  const step = Math.ceil((high - low) / 4)
  const powers = Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, k) => 10 ** (low + k * step))
  return {
    at: (value) => start + ((Math.log10(value) - low) / (high - low)) * (end - start),
    ticks: powers,
  }
}
