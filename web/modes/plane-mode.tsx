/** Put points on the plane and see the model at once. */
import { DataControls } from '../controls/data-controls.tsx'
import { ModelControls } from '../controls/model-controls.tsx'
import { planeSnippet } from '../export/snippet.ts'
import { TakeAway } from '../export/take-away.tsx'
import { Legend } from '../plane/legend.tsx'
import { planeData, shown } from '../plane/live.ts'
import { Plane } from '../plane/plane.tsx'
import { ToolBar } from '../plane/tool-bar.tsx'
import { points, state } from '../state/store.ts'
import { ResultCard } from './result-card.tsx'

function PlaneTakeAway() {
  const now = shown.value
  if (!now) return null
  const { source, settings } = state.value
  return (
    <TakeAway
      name={source.kind === 'preset' ? source.name : 'points'}
      ask={{ data: planeData(now.points), settings }}
      scene={() => ({
        points: now.points,
        field: now.picture,
        picture: now.picture,
        problem: settings.problem,
      })}
      grid={now.picture.grid}
      snippet={() => planeSnippet(state.value, points.value)}
    />
  )
}

/** See the head of the file. */
export function PlaneMode() {
  return (
    <div class="split">
      <div class="stage">
        <ToolBar />
        <Plane />
        <Legend />
        <ResultCard />
      </div>
      <div class="panel">
        <DataControls />
        <ModelControls />
        <PlaneTakeAway />
      </div>
    </div>
  )
}
