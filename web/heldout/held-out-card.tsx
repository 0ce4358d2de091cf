/** What the model does on points that it has not seen. */
import { computed } from '@preact/signals'
import { LineChart } from '../charts/line-chart.tsx'
import { Fact } from '../controls/fact.tsx'
import { Choice } from '../controls/fields.tsx'
import { heldOutShare } from '../plane/held-out.ts'
import { shown } from '../plane/live.ts'
import { state } from '../state/store.ts'
import { Explain } from '../words/explain.tsx'
import { along, curve, curveProblem } from './error-curves.ts'

const curves = computed(() => {
  const found = curve.value
  if (!found) return []
  return [
    { name: 'held-out points', colour: 1, x: found.x, y: found.test },
    { name: 'training points', colour: 0, x: found.x, y: found.training },
  ]
})

/** Where the model on show is. */
const place = computed(() => {
  const { C, kernel } = state.value.settings
  if (along.value === 'C') return C
  return 'gamma' in kernel && typeof kernel.gamma === 'number' ? kernel.gamma : Number.NaN
})

/** See the header of the file; nothing while no points are held out. */
export function HeldOutCard() {
  const { score, testScore, kind } = shown.value?.picture ?? {}
  if (heldOutShare.value === 0 || testScore === undefined || score === undefined) return null
  const isCurve = kind === 'regression'
  const percent = (share: number) => `${(100 * (1 - share)).toFixed(1)}%`
  return (
    <section class="card" aria-labelledby="held-title">
      <div class="spread">
        <h2 id="held-title">On held-out points</h2>
        <Choice<'C' | 'gamma'>
          label="Along"
          value={along.value}
          options={[
            ['C', 'along C'],
            ['gamma', 'along γ'],
          ]}
          onChange={(next) => {
            along.value = next
          }}
        />
      </div>
      <dl class="facts">
        <Fact
          name={isCurve ? 'R², held-out points' : 'Error, held-out points'}
          value={isCurve ? testScore.toFixed(3) : percent(testScore)}
        />
        <Fact
          name={isCurve ? 'R², training points' : 'Error, training points'}
          value={isCurve ? score.toFixed(3) : percent(score)}
        />
      </dl>
      {curveProblem.value && <p class="quiet">{curveProblem.value}</p>}
      {curve.value && (
        <LineChart
          title={`Share of errors along ${along.value === 'C' ? 'C' : 'γ'}`}
          curves={curves.value}
          xLabel={along.value === 'C' ? 'C' : 'γ'}
          logX
          wide
          height={220}
          cursor={place}
        />
      )}
      <Explain topic="heldOut" />
    </section>
  )
}
