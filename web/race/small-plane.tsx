/** One runner: its model at the time of the replay, and how far it is. */
import { formatNumber } from '../controls/fields.tsx'
import { solverWords } from '../controls/solver-names.ts'
import { PlaneCanvas } from '../plane/plane-canvas.tsx'
import { planeData } from '../plane/plane-data.ts'
import { type Finished, pointAt, seconds } from './race-state.ts'
import { duration } from './summary.ts'

/** See the header of the file; `index` says which of the runners. */
export function SmallPlane({ last, index }: { readonly last: Finished; readonly index: number }) {
  const run = last.race.runs[index]
  const at = pointAt(run, seconds.value)
  const { gap, primal, iteration } = run.trace[at]
  const arrived = at === run.trace.length - 1
  return (
    <figure class="runner">
      <figcaption>
        <i class={`swatch curve-${index}`} /> {solverWords[run.solver].title}
      </figcaption>
      <div class="plane still small">
        <PlaneCanvas
          follow={() => {
            void seconds.value
            return last.view
          }}
          scene={() => ({
            points: planeData(last.points),
            field: last.fields[index].at(pointAt(run, seconds.value)),
            withTicks: false,
          })}
        />
      </div>
      <p class="quiet">
        {arrived
          ? `done after ${duration(run.certificate.seconds)}, ${run.certificate.iterations.toLocaleString('en')} iterations`
          : `step ${iteration.toLocaleString('en')}`}
        , gap {formatNumber((100 * Math.max(0, gap)) / primal, 2)}%
      </p>
    </figure>
  )
}
