/** Put points on the plane and see the model at once. */
import { DataControls } from '../controls/data-controls.tsx'
import { ModelControls } from '../controls/model-controls.tsx'
import { Legend } from '../plane/legend.tsx'
import { Plane } from '../plane/plane.tsx'
import { ToolBar } from '../plane/tool-bar.tsx'
import { ResultCard } from './result-card.tsx'

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
      </div>
    </div>
  )
}
