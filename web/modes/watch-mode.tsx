/** Watch a solver work, step by step. */
import { DataControls } from '../controls/data-controls.tsx'
import { InTurn } from '../controls/in-turn.tsx'
import { ModelControls } from '../controls/model-controls.tsx'
import { solverWords } from '../controls/solver-names.ts'
import { RunLegend } from '../plane/legend.tsx'
import { state } from '../state/store.ts'
import { PairMenu } from '../watch/pair-menu.tsx'
import { showsOthers, take } from '../watch/player.ts'
import { RunCharts } from '../watch/run-charts.tsx'
import { StepCard } from '../watch/step-card.tsx'
import { Transport } from '../watch/transport.tsx'
import { WatchPlane } from '../watch/watch-plane.tsx'

/** See the header of the file. */
export function WatchMode() {
  return (
    <div class="split watch">
      <InTurn>
        <div class="stage">
          <InTurn>
            <WatchPlane />
            <Transport />
            <WatchLegend />
            <RunCharts />
          </InTurn>
        </div>
        <div class="panel">
          <InTurn>
            <PairMenu />
            <StepCard />
            <ModelControls />
            <DataControls />
          </InTurn>
        </div>
      </InTurn>
    </div>
  )
}

function WatchLegend() {
  const { problem, solver } = state.value.settings
  const now = take.value
  return (
    <RunLegend
      problem={problem}
      moves={problem === 'svc' ? solverWords[solver].moves : 'pair'}
      hasHollow={now !== undefined && now.samples !== now.points}
      hasShrunk={now?.recording.shrunk !== undefined}
      hasOthers={now?.recording.others !== undefined && showsOthers.value}
    />
  )
}
