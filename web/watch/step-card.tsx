/** What the step on show did, in numbers and as a figure. */
import { computed } from '@preact/signals'
import { BoxFigure, BoxLegend, type PairNumbers } from '../charts/box-figure.tsx'
import { LineChart } from '../charts/line-chart.tsx'
import { ParabolaFigure } from '../charts/parabola-figure.tsx'
import { WFigure } from '../charts/w-figure.tsx'
import { Fact } from '../controls/fact.tsx'
import { formatNumber, Tick } from '../controls/fields.tsx'
import { solverWords } from '../controls/solver-names.ts'
import { Mark } from '../plane/mark.tsx'
import type { ProblemType } from '../state/lab-state.ts'
import { Explain } from '../words/explain.tsx'
import { WATCHED_ADDED } from '../worker/messages.ts'
import { showsOthers, shrunkAt, type Take, take, told, toldFrame } from './player.ts'

const arrow = '→'

/** See the header of the file. */
export function StepCard() {
  const now = take.value
  if (!now) return null
  const { settings, recording } = now
  const moves = settings.problem === 'svc' ? solverWords[settings.solver].moves : 'pair'
  const step = told.value
  return (
    <section class="card step" aria-labelledby="step-title">
      <h2 id="step-title">Step</h2>
      {!step && <p class="quiet">{beforeTheFirst[settings.problem]} Press play, or step forward.</p>}
      {step && moves === 'pair' && <PairStep step={step} take={now} />}
      {step && moves !== 'pair' && <ModelMove step={step} take={now} />}
      <Explain topic={moves === 'pair' ? 'box' : moves} />
      {recording.shrunk && <Shrunk take={now} />}
      {recording.others && <Others take={now} />}
      {moves !== 'pair' && settings.kernel.kind === 'linear' && (
        <>
          <WFigure path={wayOfW.value} at={toldFrame.value} />
          <Explain topic="w" />
        </>
      )}
      {recording.bounds && <Bounds take={now} />}
    </section>
  )
}

const beforeTheFirst: Readonly<Record<ProblemType, string>> = {
  svc: 'Before the first step: all multipliers are 0.',
  svr: 'Before the first step: all multipliers are 0, and the curve is a constant.',
  'nu-svc':
    'Before the first step: the multipliers of each class must add up to ½ ν n, so the first samples of each are at their bound.',
  'one-class':
    'Before the first step: the multipliers must add up to ν n, so the first samples are at their bound.',
}

function PairStep({ step, take: now }: { readonly step: PairNumbers; readonly take: Take }) {
  const { eta, low, high, unclipped } = step
  const { problem } = now.settings
  const { bound, sets } = now.recording
  const ends = Number.isNaN(unclipped)
  return (
    <>
      <table class="numbers">
        <thead>
          <tr>
            <td />
            {problem !== 'one-class' && <th scope="col">{problem === 'svr' ? 'pulls' : 'class'}</th>}
            <th scope="col">error E</th>
            <th scope="col">α before {arrow} after</th>
          </tr>
        </thead>
        <tbody>
          <SampleRow
            name="i"
            take={now}
            sample={step.i}
            sign={step.yi}
            numbers={[step.errorI, step.oldAlphaI, step.alphaI]}
          />
          <SampleRow
            name="j"
            take={now}
            sample={step.j}
            sign={step.yj}
            numbers={[step.errorJ, step.oldAlphaJ, step.alphaJ]}
          />
        </tbody>
      </table>
      {problem !== 'svc' && <Explain topic={problem === 'svr' ? 'tubeStep' : 'nuStep'} />}
      {sets && (
        <p class="quiet">
          Round {step.iteration} of {sets.length}. The working set, in corners on the plane, has{' '}
          {sets[step.iteration - 1]?.length} samples: all with α &gt; 0, and the worst violators, at most{' '}
          {WATCHED_ADDED} new ones per round.
        </p>
      )}
      <dl class="facts tight">
        <Fact name="η" value={formatNumber(eta)} />
        <Fact name="[L, H]" value={`[${formatNumber(low)}, ${formatNumber(high)}]`} />
        <Fact name="lowest point" value={ends ? 'an end' : formatNumber(unclipped)} />
      </dl>
      {Number.isFinite(bound) && (
        <BoxFigure step={step} C={bound} name={problem === 'svc' || problem === 'svr' ? 'C' : '1'} />
      )}
      <BoxLegend />
      <ParabolaFigure step={step} />
    </>
  )
}

function SampleRow(props: {
  readonly name: string
  readonly take: Take
  readonly sample: number
  readonly sign: number
  readonly numbers: readonly [error: number, old: number, next: number]
}) {
  const { name, take: now, sample, sign, numbers } = props
  const [error, old, next] = numbers
  const { problem } = now.settings
  return (
    <tr>
      <th scope="row">{name}</th>
      {problem === 'svr' && <td>{sign > 0 ? 'up' : 'down'}</td>}
      {(problem === 'svc' || problem === 'nu-svc') && (
        <td>
          <Mark shape={now.samples[sample].c} />
        </td>
      )}
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
  const point = now.samples[step.sample]
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
      <Fact name="bias" value={biasWords(now.recording.bias[toldFrame.value])} />
    </dl>
  )
}

/** A bias that is 0 except for rounding is 0. */
function biasWords(bias: number): string {
  return formatNumber(Math.abs(bias) < 1e-12 ? 0 : bias)
}

function Shrunk({ take: now }: { readonly take: Take }) {
  const { length } = shrunkAt(now, toldFrame.value)
  return (
    <>
      <p class="quiet">
        {length === 0
          ? 'All samples take part.'
          : `${length} of ${now.samples.length} samples are shrunk: at a bound, and left out for now.`}
      </p>
      <Explain topic="shrinking" />
    </>
  )
}

function Others({ take: now }: { readonly take: Take }) {
  const { runs, stepAt } = now.recording.others as NonNullable<Take['recording']['others']>
  const last = stepAt.at(-1) ?? 0
  return (
    <>
      <Tick
        label={`Show ${runs} other runs, faint`}
        checked={showsOthers.value}
        onChange={(checked) => {
          showsOthers.value = checked
        }}
      />
      {last < now.recording.steps && (
        <p class="quiet">They are shown for the first {last.toLocaleString('en')} steps.</p>
      )}
      <Explain topic="others" />
    </>
  )
}

/** w of each frame: Σ β x over the samples. */
const wayOfW = computed(() => {
  const { samples = [], field, recording } = take.value ?? {}
  const path = new Float64Array(2 * (recording?.frames ?? 0))
  for (let frame = 0; field && 2 * frame < path.length; frame++) {
    const coefficients = field.coefficients(frame)
    for (let i = 0; i < samples.length; i++) {
      path[2 * frame] += coefficients[i] * samples[i].x
      path[2 * frame + 1] += coefficients[i] * samples[i].y
    }
  }
  return path
})

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
        Bias b = {biasWords(recording.bias[toldFrame.value])}.
      </p>
      <Explain topic="bounds" />
    </>
  )
}
