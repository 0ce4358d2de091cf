/** Everything about one point: its multiplier, its margin, its slack, and which of the optimality conditions it meets. */
import { Fact } from '../controls/fact.tsx'
import { formatNumber, Tick } from '../controls/fields.tsx'
import { Explain } from '../words/explain.tsx'
import { AlphaStrip } from './alpha-strip.tsx'
import { inspected, pinned, showsKernel } from './inspected.ts'
import { type Shown, shown } from './live.ts'
import { Mark } from './mark.tsx'
import { type PointCase, pointCase } from './point-case.ts'

/** See the header of the file, with the strip of all multipliers. */
export function Inspector() {
  const now = shown.value
  if (!now || now.picture.kind === 'multi') return null
  const index = inspected.value
  const isKnown = index >= 0 && index < now.points.length
  return (
    <section class="card inspector" aria-labelledby="inspector-title">
      <div class="spread">
        <h2 id="inspector-title">{isKnown ? `Point ${index + 1}` : 'Points and their multipliers'}</h2>
        {now.picture.kind !== 'regression' && (
          <Tick
            label="Show k(x, ·) on the plane"
            checked={showsKernel.value}
            onChange={(checked) => {
              showsKernel.value = checked
            }}
          />
        )}
      </div>
      {isKnown ? (
        <PointFacts now={now} index={index} />
      ) : (
        <p class="quiet">Point at one, on the plane or in the strip, or go to it with N.</p>
      )}
      <AlphaStrip
        now={now}
        index={isKnown ? index : -1}
        onPoint={(next) => {
          pinned.value = next
        }}
      />
      <Explain topic="cases" />
    </section>
  )
}

function PointFacts({ now, index }: { readonly now: Shown; readonly index: number }) {
  const { x, y, c } = now.points[index]
  const found = pointCase(now, index)
  const isCurve = now.picture.kind === 'regression'
  const isBinary = now.picture.kind === 'binary'
  const plus = now.picture.classes[1]
  return (
    <>
      <dl class="facts tight">
        <div>
          <dt>{isBinary ? 'label' : 'place'}</dt>
          <dd>
            {isBinary && (
              <>
                <Mark shape={c} /> y = {c === plus ? '+1' : '−1'}
              </>
            )}
            <small>
              ({formatNumber(x)}, {formatNumber(y)})
            </small>
          </dd>
        </div>
        <Fact name={isBinary ? 'y f(x)' : 'f(x)'} value={formatNumber(found.value, 4)} />
        <Fact name={isCurve ? 'error beyond ε' : 'slack ξ'} value={formatNumber(found.slack, 3)} />
      </dl>
      <AlphaBar found={found} isCurve={isCurve} />
      <p>{found.words}</p>
    </>
  )
}

/** The multiplier as a share of its bound. */
function AlphaBar({ found, isCurve }: { readonly found: PointCase; readonly isCurve: boolean }) {
  const { alpha, bound } = found
  const share = Number.isFinite(bound) && bound > 0 ? Math.min(1, alpha / bound) : 0
  const name = isCurve ? '|α − α*|' : 'α'
  const words = `${name} = ${formatNumber(alpha, 4)}${Number.isFinite(bound) ? ` of at most ${formatNumber(bound)}` : ''}`
  return (
    <div class="alpha-bar">
      <span>{words}</span>
      <span class="track" role="img" aria-label={words}>
        <i style={`width: ${(100 * share).toFixed(1)}%`} class={share === 1 ? 'full' : ''} />
      </span>
    </div>
  )
}
