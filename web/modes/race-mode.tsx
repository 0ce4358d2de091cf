/** Two to four solvers on the same data, side by side. */
import { computed, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { SolverName } from '../../src/index.ts'
import { LineChart } from '../charts/line-chart.tsx'
import { DataControls } from '../controls/data-controls.tsx'
import { Choice, Slider, Tick } from '../controls/fields.tsx'
import { Icon } from '../controls/icon.tsx'
import { InTurn } from '../controls/in-turn.tsx'
import { ModelControls } from '../controls/model-controls.tsx'
import { solverWords, suits } from '../controls/solver-names.ts'
import {
  cancelRace,
  finished,
  outdated,
  pointAt,
  progress,
  raceProblem,
  raceWhenReady,
  replaying,
  running,
  seconds,
  startRace,
  toggleReplay,
} from '../race/race-state.ts'
import { SmallPlane } from '../race/small-plane.tsx'
import { duration, summarise } from '../race/summary.ts'
import { change, pointsAreDue, state } from '../state/store.ts'
import { Explain } from '../words/explain.tsx'

type Over = 'seconds' | 'iteration'

const over = signal<Over>('seconds')
const MOST_SOLVERS = 4

/** The gap of each run as a share of its primal value, so that curves of different problems can stand side by side. */
const curves = computed(() =>
  (finished.value?.race.runs ?? []).map(({ solver, trace }, k) => ({
    name: solverWords[solver].title,
    colour: k,
    x: Float64Array.from(trace, (point) => point[over.value]),
    y: Float64Array.from(trace, ({ gap, primal }) => gap / Math.abs(primal)),
  })),
)

const outcome = computed(() => (finished.value ? summarise(finished.value) : []))

const cursor = computed(() => {
  const runs = finished.value?.race.runs ?? []
  if (over.value === 'seconds') return seconds.value
  return Math.max(0, ...runs.map((run) => run.trace[pointAt(run, seconds.value)].iteration))
})

/** See the header of the file. */
export function RaceMode() {
  const last = finished.value
  useEffect(raceWhenReady, [])
  return (
    <div class="split">
      <InTurn>
        <div class="stage">
          <section class="card" aria-labelledby="race-title">
            <div class="spread">
              <h2 id="race-title">Race</h2>
              <RaceButtons />
            </div>
            {raceProblem.value && (
              <p class="problem" role="alert">
                {raceProblem.value}
              </p>
            )}
            {last && (
              <>
                <div class={`runners of-${last.race.runs.length}`}>
                  {last.race.runs.map(({ solver }, k) => (
                    <SmallPlane key={solver} last={last} index={k} />
                  ))}
                </div>
                <Slider
                  label="Solving time"
                  value={progress.value}
                  min={0}
                  max={1}
                  step={0.005}
                  show={() => duration(seconds.value)}
                  onInput={(next) => {
                    replaying.value = false
                    progress.value = next
                  }}
                />
              </>
            )}
          </section>
          {last && (
            <section class="card" aria-labelledby="outcome-title">
              <h2 id="outcome-title">Result</h2>
              <ul class="sentences">
                {outcome.value.map((sentence) => (
                  <li key={sentence}>{sentence}</li>
                ))}
              </ul>
              <div class="spread">
                <h3>How the gap closes</h3>
                <Choice<Over>
                  label="Horizontal axis"
                  value={over.value}
                  options={[
                    ['seconds', 'time'],
                    ['iteration', 'iterations'],
                  ]}
                  onChange={(next) => {
                    over.value = next
                  }}
                />
              </div>
              <LineChart
                title={`Gap relative to the primal value, over ${over.value === 'seconds' ? 'time' : 'iterations'}`}
                curves={curves.value}
                xLabel={
                  over.value === 'seconds' ? 'seconds of solving' : 'iterations, each solver in its own unit'
                }
                log
                logX={over.value === 'seconds'}
                wide
                height={260}
                cursor={cursor}
              />
              <Explain topic="race" />
            </section>
          )}
        </div>
        <div class="panel">
          <InTurn>
            <Entrants />
            <ModelControls withSolver={false} />
            <DataControls />
          </InTurn>
        </div>
      </InTurn>
    </div>
  )
}

function RaceButtons() {
  const { value } = running
  if (value) {
    return (
      <div class="row">
        <span class="quiet">{solverWords[value].title} is running…</span>
        <button type="button" onClick={cancelRace}>
          Cancel
        </button>
      </div>
    )
  }
  return (
    <div class="row">
      {finished.value && (
        <button type="button" onClick={toggleReplay}>
          <Icon name={replaying.value ? 'pause' : 'play'} /> {replaying.value ? 'Pause' : 'Replay'}
        </button>
      )}
      <button
        type="button"
        class={outdated.value || !finished.value ? 'primary' : ''}
        disabled={pointsAreDue.value}
        onClick={() => void startRace()}
      >
        {finished.value ? 'Race again' : 'Start'}
      </button>
    </div>
  )
}

function Entrants() {
  const { race, settings } = state.value
  const names = Object.keys(solverWords) as SolverName[]
  const toggle = (name: SolverName, joins: boolean) =>
    change({ race: joins ? [...race, name] : race.filter((other) => other !== name) })
  return (
    <section class="card" aria-labelledby="entrants-title">
      <h2 id="entrants-title">Solvers</h2>
      <p class="quiet">Choose two to four.</p>
      <div class="ticks">
        {names.map((name) => {
          const joins = race.includes(name)
          const blocked = joins
            ? race.length <= 2
            : race.length >= MOST_SOLVERS || !suits(name, settings.kernel)
          const note = suits(name, settings.kernel) ? '' : ' (linear only)'
          return (
            <Tick
              key={name}
              label={`${solverWords[name].title}${note}`}
              checked={joins}
              disabled={blocked}
              onChange={(checked) => toggle(name, checked)}
            />
          )
        })}
      </div>
    </section>
  )
}
