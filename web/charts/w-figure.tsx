/** The way of w over a run, for a linear kernel on the plane: where it has been, where it is, and where it ends. */
import { formatNumber } from '../controls/fields.tsx'

const WIDTH = 290
const HEIGHT = 200
const ROOM = 18
/** More corners than pixels would only cost time. */
const MOST_PLACES = 600

/** See the header of the file: `path` has w of each frame, `[2 * frame]` and `[2 * frame + 1]`. */
export function WFigure({ path, at }: { readonly path: Float64Array; readonly at: number }) {
  const last = path.length / 2 - 1
  let reach = 0
  let [left, right, bottom, top] = [0, 0, 0, 0]
  // The first steps may be far longer than all others: what lies long behind is left outside.
  for (let k = at >> 1; k <= last; k++) {
    left = Math.min(left, path[2 * k])
    right = Math.max(right, path[2 * k])
    bottom = Math.min(bottom, path[2 * k + 1])
    top = Math.max(top, path[2 * k + 1])
    reach = Math.max(reach, Math.hypot(path[2 * k], path[2 * k + 1]))
  }
  if (reach === 0) return null
  // One scale for both axes: a right angle to the line on the plane is one here.
  const scale = Math.min((WIDTH - 2 * ROOM) / (right - left), (HEIGHT - 2 * ROOM) / (top - bottom))
  const x = (value: number) => WIDTH / 2 + scale * (value - (left + right) / 2)
  const y = (value: number) => HEIGHT / 2 - scale * (value - (bottom + top) / 2)
  const place = (k: number) => ({ cx: x(path[2 * k]), cy: y(path[2 * k + 1]) })
  const way = (from: number, to: number) => {
    const stride = Math.max(1, Math.ceil((to - from) / MOST_PLACES))
    let text = ''
    for (let k = from; k <= to; k = k === to ? k + 1 : Math.min(to, k + stride)) {
      const { cx, cy } = place(k)
      text += `${k === from ? 'M' : 'L'}${cx.toFixed(1)} ${cy.toFixed(1)}`
    }
    return text
  }
  const [now, end, before] = [place(at), place(last), place(Math.max(0, at - 1))]
  const words = (k: number) => `(${formatNumber(path[2 * k])}, ${formatNumber(path[2 * k + 1])})`
  return (
    <figure class="chart">
      <figcaption>The way of w</figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        class="box-figure cut"
        role="img"
        aria-label={`w = ${words(at)}; at the end of the run it is ${words(last)}`}
      >
        <path class="line-beyond" d={`M0 ${y(0)}H${WIDTH}M${x(0)} 0V${HEIGHT}`} />
        <path class="w-ahead" d={way(at, last)} />
        <path class="w-behind" d={way(0, at)} />
        <line class="w-arrow" x1={x(0)} y1={y(0)} x2={now.cx} y2={now.cy} />
        <line class="move" x1={before.cx} y1={before.cy} x2={now.cx} y2={now.cy} />
        <circle class="minimum" {...end} r="5" />
        <circle class="new" {...now} r="5" />
      </svg>
      <p class="chart-legend">
        <span>
          <Dot kind="new" /> w = {words(at)}
        </span>
        <span>
          <Dot kind="minimum" /> at the end
        </span>
      </p>
    </figure>
  )
}

function Dot({ kind }: { readonly kind: 'new' | 'minimum' }) {
  return (
    <svg viewBox="0 0 12 12" width="12" height="12" class="box-figure" aria-hidden="true">
      <circle class={kind} cx="6" cy="6" r="4.5" />
    </svg>
  )
}
