/** All multipliers beside each other, signed by their class: upwards for +1, downwards for −1; and their balance. */
import { formatNumber } from '../controls/fields.tsx'
import type { Shown } from './live.ts'
import { Mark } from './mark.tsx'

const WIDTH = 720
const HEIGHT = 84
const MIDDLE = HEIGHT / 2
/** With more samples only those with a multiplier are shown, the largest of them. */
const MOST_BARS = 360

/** See the header of the file; `onPoint` is told which sample the pointer is at. */
export function AlphaStrip(props: {
  readonly now: Shown
  readonly index: number
  readonly onPoint: (index: number) => void
}) {
  const { now, index, onPoint } = props
  const { coefficients, kind, classes } = now.picture
  const order = orderOf(coefficients)
  const largest = order.reduce((most, i) => Math.max(most, Math.abs(coefficients[i])), 0)
  const hasBound = now.settings.problem === 'svc' || kind === 'regression'
  const top = hasBound && now.settings.C <= 4 * largest ? now.settings.C : largest || 1
  const pitch = WIDTH / Math.max(1, order.length)
  const bars = (isFull: boolean) =>
    order
      .map((i, k) => {
        const size = (Math.abs(coefficients[i]) / top) * (MIDDLE - 6)
        if (size === 0 || (hasBound && Math.abs(coefficients[i]) >= now.settings.C) !== isFull) return ''
        return `M${((k + 0.5) * pitch).toFixed(1)} ${MIDDLE}v${(coefficients[i] > 0 ? -size : size).toFixed(1)}`
      })
      .join('')
  const at = order.indexOf(index)
  const sum = (sign: number) =>
    coefficients.reduce((total, value) => total + (value * sign > 0 ? Math.abs(value) : 0), 0)
  const [plus, minus] = [sum(1), sum(-1)]
  const supports = coefficients.reduce((count, value) => count + (value === 0 ? 0 : 1), 0)
  return (
    <figure class="strip">
      <figcaption class="quiet">
        {kind === 'regression' ? 'α − α*' : kind === 'one-class' ? 'α' : 'y α'} of{' '}
        {order.length < coefficients.length
          ? `the ${order.length} largest of ${supports} support vectors`
          : `all ${coefficients.length} points`}
        {hasBound && top === now.settings.C ? '; full height is C' : ''}
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Multipliers: ${supports} of ${coefficients.length} are not zero`}
        preserveAspectRatio="none"
        onPointerMove={(event) => {
          const { left, width } = event.currentTarget.getBoundingClientRect()
          const found = order[Math.floor(((event.clientX - left) / width) * order.length)]
          if (found !== undefined) onPoint(found)
        }}
      >
        {hasBound && top === now.settings.C && (
          <path class="bound" d={`M0 6H${WIDTH}M0 ${HEIGHT - 6}H${WIDTH}`} />
        )}
        <path class="zero" d={`M0 ${MIDDLE}H${WIDTH}`} />
        {at >= 0 && <rect class="here" x={at * pitch} width={Math.max(pitch, 2)} y="0" height={HEIGHT} />}
        <path class="free" d={bars(false)} stroke-width={Math.min(8, 0.8 * pitch)} />
        <path class="full" d={bars(true)} stroke-width={Math.min(8, 0.8 * pitch)} />
      </svg>
      {kind === 'binary' && (
        <Balance
          plus={plus}
          minus={minus}
          left={
            <>
              Σ α of <Mark shape={classes[1]} /> (+1)
            </>
          }
          right={
            <>
              Σ α of <Mark shape={classes[0]} /> (−1)
            </>
          }
        />
      )}
      {kind === 'regression' && <Balance plus={plus} minus={minus} left="pulling up" right="pulling down" />}
    </figure>
  )
}

/** Two sums that are equal where the bias is free: Σ y α = 0. */
function Balance(props: {
  readonly plus: number
  readonly minus: number
  readonly left: preact.ComponentChildren
  readonly right: preact.ComponentChildren
}) {
  const { plus, minus, left, right } = props
  const most = Math.max(plus, minus) || 1
  const apart = Math.abs(plus - minus)
  const isBalanced = apart <= 1e-9 * most
  return (
    <div class="balance">
      <span>
        {left} = {formatNumber(plus, 4)}
      </span>
      <span class="scales" aria-hidden="true">
        <i style={`width: ${((50 * plus) / most).toFixed(2)}%`} />
        <i style={`width: ${((50 * minus) / most).toFixed(2)}%`} />
      </span>
      <span>
        {right} = {formatNumber(minus, 4)}
      </span>
      <p class="quiet">
        {isBalanced
          ? 'They are equal: Σ y α = 0.'
          : `They differ by ${formatNumber(apart, 2)}: this solver has the bias in the norm, which asks for no balance.`}
      </p>
    </div>
  )
}

function orderOf(coefficients: Float64Array): number[] {
  const all = Array.from(coefficients, (_, i) => i)
  if (all.length <= MOST_BARS) return all
  return all
    .filter((i) => coefficients[i] !== 0)
    .sort((a, b) => Math.abs(coefficients[b]) - Math.abs(coefficients[a]))
    .slice(0, MOST_BARS)
    .sort((a, b) => a - b)
}
