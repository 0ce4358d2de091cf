/** The course of the run: primal and dual, gap, violation, support vectors, against iterations or time. */
import { computed, signal } from '@preact/signals'
import type { TracePoint } from '../../src/solvers.ts'
import { LineChart } from '../charts/line-chart.tsx'
import { Choice } from '../controls/fields.tsx'
import { Explain } from '../words/explain.tsx'
import { take, toldFrame } from './player.ts'

type Over = 'iteration' | 'seconds'

const over = signal<Over>('iteration')

/** Where the frame stands on the horizontal axis. */
const cursor = computed(() => {
  const { recording } = take.value ?? {}
  if (!recording) return 0
  const { pairs, moves, frames, trace } = recording
  const width = (pairs ?? moves)?.length ?? 0
  const frame = toldFrame.value
  const iteration = frame === 0 ? 0 : ((pairs ?? moves)?.[(frame * width) / frames] ?? 0)
  return over.value === 'iteration' ? iteration : secondsAt(trace, iteration)
})

const curves = computed(() => {
  const trace = take.value?.recording.trace ?? []
  const x = Float64Array.from(trace, (point) => point[over.value])
  const y = (read: (point: TracePoint) => number) => Float64Array.from(trace, read)
  return {
    bounds: [
      { name: 'primal', colour: 1, x, y: y(({ primal }) => primal) },
      { name: '−dual', colour: 0, x, y: y(({ dual }) => -dual) },
    ],
    gap: [{ name: 'gap', colour: 0, x, y: y(({ gap }) => gap) }],
    violation: [{ name: 'violation', colour: 0, x, y: y(({ violation }) => violation) }],
    supports: [{ name: 'support vectors', colour: 0, x, y: y(({ supportVectors }) => supportVectors) }],
  }
})

/** See the header of the file. */
export function RunCharts() {
  if (!take.value) return null
  const xLabel = over.value === 'iteration' ? 'iteration' : 'seconds'
  const { bounds, gap, violation, supports } = curves.value
  const spread = Math.max(...bounds[0].y) / Math.max(1e-12, bounds[1].y[1] ?? 1)
  return (
    <section class="card course" aria-labelledby="course-title">
      <div class="spread">
        <h2 id="course-title">Progress of the run</h2>
        <Choice<Over>
          label="Horizontal axis"
          value={over.value}
          options={[
            ['iteration', 'iterations'],
            ['seconds', 'time'],
          ]}
          onChange={(next) => {
            over.value = next
          }}
        />
      </div>
      <div class="pair">
        <LineChart
          title="Primal and −dual"
          curves={bounds}
          xLabel={xLabel}
          log={spread > 100}
          cursor={cursor}
        />
        <LineChart title="Gap" curves={gap} xLabel={xLabel} log cursor={cursor} />
        <LineChart title="Largest violation" curves={violation} xLabel={xLabel} log cursor={cursor} />
        <LineChart title="Support vectors" curves={supports} xLabel={xLabel} cursor={cursor} />
      </div>
      <Explain topic="certificate" />
    </section>
  )
}

/** Seconds of solving at an iteration, between points of the trace. */
function secondsAt(trace: readonly TracePoint[], iteration: number): number {
  const next = trace.findIndex((point) => point.iteration >= iteration)
  if (next <= 0) return trace[next]?.seconds ?? 0
  const [a, b] = [trace[next - 1], trace[next]]
  const share = (iteration - a.iteration) / (b.iteration - a.iteration)
  return a.seconds + share * (b.seconds - a.seconds)
}
