/** Choose C and γ by what they do to samples held out. */
import { HeatMap } from '../charts/heat-map.tsx'
import { DataControls } from '../controls/data-controls.tsx'
import { formatNumber, Slider } from '../controls/fields.tsx'
import { InTurn } from '../controls/in-turn.tsx'
import { ModelControls } from '../controls/model-controls.tsx'
import { LiveLegend } from '../plane/legend.tsx'
import { Plane } from '../plane/plane.tsx'
import type { TuneSettings } from '../state/lab-state.ts'
import { change, state } from '../state/store.ts'
import { axisValues } from '../tune/axis.ts'
import { cancelTuning, cells, mapped, tuneProblem, tuning, useCell } from '../tune/tune-state.ts'
import { Explain } from '../words/explain.tsx'
import type { TuneCell } from '../worker/messages.ts'

/** See the header of the file. */
export function TuneMode() {
  const known = cells.value.filter((cell) => cell !== undefined)
  const best = known.toSorted((a, b) => b.validation - a.validation || a.C - b.C || a.gamma - b.gamma)[0]
  const { settings } = state.value
  const { C, kernel, problem } = settings
  const gamma = 'gamma' in kernel ? kernel.gamma : undefined
  const isChosen = (cell: TuneCell) => problem === 'svc' && cell.C === C && cell.gamma === gamma
  const chosen = known.find(isChosen)
  const values = known.flatMap(({ validation, training }) => [validation, training])
  const range: [number, number] = [Math.min(0.95, ...values), Math.max(...values, 0.5)]
  const grid = mapped.value ?? state.value.tune
  const shared = {
    cells: cells.value,
    C: axisValues(grid.C, grid.steps),
    gamma: axisValues(grid.gamma, grid.steps),
    isChosen,
    onChoose: useCell,
    range,
  }
  return (
    <div class="split">
      <InTurn>
        <div class="stage">
          <section class="card" aria-labelledby="tune-title">
            <div class="spread">
              <h2 id="tune-title">Accuracy in %, over C and γ</h2>
              {tuning.value && (
                <div class="row">
                  <span class="quiet">
                    {known.length} of {cells.value.length}
                  </span>
                  <button type="button" onClick={cancelTuning}>
                    Cancel
                  </button>
                </div>
              )}
            </div>
            {tuneProblem.value ? (
              <p class="problem" role="alert">
                {tuneProblem.value}
              </p>
            ) : (
              <>
                <div class="pair">
                  <HeatMap
                    title={`Held out (${grid.folds} folds)`}
                    read={({ validation }) => validation}
                    isBest={(cell) => cell === best}
                    {...shared}
                  />
                  <HeatMap title="Trained on" read={({ training }) => training} {...shared} />
                </div>
                <Advice best={best} chosen={chosen} done={!tuning.value} />
                {(problem === 'nu-svc' || gamma === undefined) && (
                  <p class="quiet">
                    The maps are for C-SVC with {gamma === undefined ? 'a Gaussian' : 'this'} kernel: clicking
                    a cell replaces the current model.
                  </p>
                )}
              </>
            )}
            <Explain topic="tune" />
          </section>
          <Plane />
          <LiveLegend />
        </div>
        <div class="panel">
          <InTurn>
            <GridControls />
            <ModelControls />
            <DataControls />
          </InTurn>
        </div>
      </InTurn>
    </div>
  )
}

function Advice(props: {
  readonly best: TuneCell | undefined
  readonly chosen: TuneCell | undefined
  readonly done: boolean
}) {
  const { best, chosen, done } = props
  if (!best) return <p class="quiet">Computing…</p>
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`
  return (
    <div class="spread">
      <p>
        Best{done ? '' : ' so far'}: C = {formatNumber(best.C)}, γ = {formatNumber(best.gamma)} with{' '}
        {percent(best.validation)} on held-out samples.
        {chosen && chosen !== best && (
          <>
            {' '}
            The current model has {percent(chosen.validation)}, and {percent(chosen.training)} on its training
            samples.
          </>
        )}
      </p>
      <button type="button" onClick={() => useCell(best)}>
        Use the best
      </button>
    </div>
  )
}

function GridControls() {
  const { tune } = state.value
  const set = (part: Partial<TuneSettings>, group: string) => change({ tune: { ...tune, ...part } }, group)
  return (
    <section class="card" aria-labelledby="grid-title">
      <h2 id="grid-title">Grid</h2>
      <Slider
        label="cells per side"
        value={tune.steps}
        min={3}
        max={11}
        step={1}
        onInput={(steps) => set({ steps }, 'steps')}
      />
      <Slider
        label="folds"
        value={tune.folds}
        min={2}
        max={10}
        step={1}
        onInput={(folds) => set({ folds }, 'folds')}
      />
    </section>
  )
}
