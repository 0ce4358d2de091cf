/** Place points on the plane and see the model immediately. */
import { DataControls } from '../controls/data-controls.tsx'
import { InTurn } from '../controls/in-turn.tsx'
import { hasLibsvmKernel } from '../controls/kernel-editor.tsx'
import { ModelControls } from '../controls/model-controls.tsx'
import { planeSnippet } from '../export/snippet.ts'
import { TakeAway } from '../export/take-away.tsx'
import { HeldOutCard } from '../heldout/held-out-card.tsx'
import { LiftPlace } from '../lift/lift-place.tsx'
import { Inspector } from '../plane/inspector.tsx'
import { isHeldOut } from '../plane/is-held-out.ts'
import { LiveLegend } from '../plane/legend.tsx'
import { shown } from '../plane/live.ts'
import { Plane } from '../plane/plane.tsx'
import { planeData } from '../plane/plane-data.ts'
import { shownField } from '../plane/shown-field.ts'
import { ToolBar } from '../plane/tool-bar.tsx'
import { VotesCard } from '../plane/votes-card.tsx'
import { points, state } from '../state/store.ts'
import { jobWorker } from '../worker/client.ts'
import { ResultCard } from './result-card.tsx'

function PlaneTakeAway() {
  const now = shown.value
  if (!now) return null
  const { source, settings } = state.value
  return (
    <TakeAway
      name={source.kind === 'preset' ? source.name : 'points'}
      files={(as) => jobWorker.call('export', { data: planeData(now.points, now.heldOut), settings, as })}
      libsvm={hasLibsvmKernel(settings.kernel) ? 'plain' : 'none'}
      scene={() => ({
        points: planeData(now.points, now.heldOut),
        field: shownField(now.picture, state.value.votes),
        picture: now.picture,
        plain: settings.problem === 'svr' || settings.problem === 'one-class',
      })}
      grid={now.picture.grid}
      snippet={() => {
        // Of points that are held out the model knows nothing: the code has those that it has seen.
        const seen = now.points.filter((_, i) => !isHeldOut(i, now.heldOut))
        const drawn = { ...state.value, source: { kind: 'drawn', points: seen } as const }
        return now.heldOut === 0 ? planeSnippet(state.value, points.value) : planeSnippet(drawn, seen)
      }}
    />
  )
}

/** See the header of the file. */
export function PlaneMode() {
  return (
    <div class="split">
      <InTurn>
        <div class="stage">
          <InTurn>
            <ToolBar />
            <Plane />
            <LiveLegend />
            <LiftPlace />
            <ResultCard />
            <HeldOutCard />
            <Inspector />
            <VotesCard />
          </InTurn>
        </div>
        <div class="panel">
          <InTurn>
            <DataControls />
            <ModelControls />
            <PlaneTakeAway />
          </InTurn>
        </div>
      </InTurn>
    </div>
  )
}
