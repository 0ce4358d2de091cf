/** What the step on show did, in numbers and as a figure. */
import { computed } from '@preact/signals'
import { BoxFigure, BoxLegend, type PairNumbers } from '../charts/box-figure.tsx'
import { LineChart } from '../charts/line-chart.tsx'
import { ParabolaFigure } from '../charts/parabola-figure.tsx'
import { Fact } from '../controls/fact.tsx'
import { formatNumber } from '../controls/fields.tsx'
import { solverWords } from '../controls/solver-names.ts'
import { Mark } from '../plane/mark.tsx'
import type { Point } from '../state/lab-state.ts'
import { Explain } from '../words/explain.tsx'
import { WATCHED_ADDED } from '../worker/messages.ts'
import { type Take, take, told, toldFrame } from './player.ts'

const arrow = '→'

/** See the head of the file. */
export function StepCard() {
  const now = take.value
  if (!now) return null
  const { moves } = solverWords[now.settings.solver]
  const step = told.value
  return (
    <section class="card step" aria-labelledby="step-title">
      <h2 id="step-title">Step</h2>
      {!step && (
        <p class="quiet">Before the first step: all multipliers are 0. Press play, or step forward.</p>
      )}
      {step && moves === 'pair' && <PairStep step={step} take={now} />}
      {step && moves !== 'pair' && <ModelMove step={step} take={now} />}
      <Explain topic={moves === 'pair' ? 'box' : moves} />
      {now.recording.bounds && <Bounds take={now} />}
    </section>
  )
}

function PairStep({ step, take: now }: { readonly step: PairNumbers; readonly take: Take }) {
  const { eta, low, high, unclipped } = step
  const ends = Number.isNaN(unclipped)
  return (
    <>
      <table class="numbers">
        <thead>
          <tr>
            <td />
            <th scope="col">class</th>
            <th scope="col">error E</th>
            <th scope="col">α before {arrow} after</th>
          </tr>
        </thead>
        <tbody>
          <SampleRow
            name="i"
            point={now.points[step.i]}
            error={step.errorI}
            old={step.oldAlphaI}
            next={step.alphaI}
          />
          <SampleRow
            name="j"
            point={now.points[step.j]}
            error={step.errorJ}
            old={step.oldAlphaJ}
            next={step.alphaJ}
          />
        </tbody>
      </table>
      {now.recording.sets && (
        <p class="quiet">
          Round {step.iteration} of {now.recording.sets.length}. The working set, in corners on the plane, has{' '}
          {now.recording.sets[step.iteration - 1]?.length} samples: all with α &gt; 0, and the worst
          violators, at most {WATCHED_ADDED} new ones per round.
        </p>
      )}
      <dl class="facts tight">
        <Fact name="η" value={formatNumber(eta)} />
        <Fact name="[L, H]" value={`[${formatNumber(low)}, ${formatNumber(high)}]`} />
        <Fact name="lowest point" value={ends ? 'an end' : formatNumber(unclipped)} />
      </dl>
      {Number.isFinite(now.settings.C) && <BoxFigure step={step} C={now.settings.C} />}
      <BoxLegend />
      <ParabolaFigure step={step} />
    </>
  )
}

function SampleRow(props: {
  readonly name: string
  readonly point: Point
  readonly error: number
  readonly old: number
  readonly next: number
}) {
  const { name, point, error, old, next } = props
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <Mark shape={point.c} />
      </td>
      <td>{formatNumber(error)}</td>
      <td>
        {formatNumber(old)} {arrow} <b>{formatNumber(next)}</b>
      </td>
    </tr>
  )
}

function ModelMove({ step, take: now }: { readonly step: PairNumbers; readonly take: Take }) {
  const { moves } = solverWords[now.settings.solver]
  const before = now.field.coefficients(Math.max(0, toldFrame.value - 1))
  const after = now.field.coefficients(toldFrame.value)
  const changed = after.reduce((count, c, i) => count + (c !== before[i] ? 1 : 0), 0)
  const point = now.points[step.sample]
  return (
    <dl class="facts tight">
      <Fact name="epoch" value={formatNumber(step.iteration, 6)} />
      <Fact name="step t" value={formatNumber(step.step, 6)} />
      <Fact
        name={moves === 'coordinate' ? 'change of α' : 'step size η'}
        value={formatNumber(step.stepSize)}
      />
      {point && (
        <div>
          <dt>sample</dt>
          <dd>
            <Mark shape={point.c} /> {formatNumber(point.x, 2)}, {formatNumber(point.y, 2)}
          </dd>
        </div>
      )}
      <Fact name="coefficients changed" value={String(changed)} />
      <Fact name="bias" value={formatNumber(now.recording.bias[toldFrame.value])} />
    </dl>
  )
}

const frameCursor = computed(() => take.value?.recording.stepAt[toldFrame.value] ?? 0)
const boundCurves = computed(() => {
  const { bounds, stepAt: x = [] } = take.value?.recording ?? {}
  if (!bounds) return []
  return [
    { name: 'b_low', colour: 1, x, y: bounds.low },
    { name: 'b_up', colour: 0, x, y: bounds.up },
  ]
})

function Bounds({ take: { recording, settings } }: { readonly take: Take }) {
  const { up, low } = recording.bounds as NonNullable<typeof recording.bounds>
  const apart = low[toldFrame.value] - up[toldFrame.value]
  const { tol } = settings
  return (
    <>
      <LineChart
        title="b_low and b_up, closing on −b"
        curves={boundCurves.value}
        xLabel="step"
        cursor={frameCursor}
      />
      <p class="quiet">
        b_low − b_up = {formatNumber(apart)}:{' '}
        {apart <= 0
          ? 'every −b between b_low and b_up satisfies all samples.'
          : apart <= tol
            ? 'within the tolerance, so the run may end.'
            : 'no bias satisfies all samples yet.'}{' '}
        Bias b = {formatNumber(recording.bias[toldFrame.value])}.
      </p>
      <Explain topic="bounds" />
    </>
  )
}
