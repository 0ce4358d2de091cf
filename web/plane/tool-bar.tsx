/** What a click on the plane does. */

import { Choice, Tick } from '../controls/fields.tsx'
import { Icon, IconButton } from '../controls/icon.tsx'
import { type ClassIndex, type Layer, layers, type Tool } from '../state/lab-state.ts'
import { glance, points, pointsAreDue, state } from '../state/store.ts'
import { shown } from './live.ts'
import { Mark } from './mark.tsx'
import { fitView, ZOOM_STEP, zoom } from './zoom.ts'

const classes: readonly ClassIndex[] = [0, 1, 2, 3]

/** See the header of the file. */
export function ToolBar() {
  const { tool } = state.value
  return (
    <div class="tool-bar">
      <Choice<Tool>
        label="A click adds"
        value={tool}
        options={[
          ...classes.map(
            (c) =>
              [
                c,
                <>
                  <Mark shape={c} /> {c + 1}
                </>,
                `Add points of class ${c + 1}`,
              ] as const,
          ),
          [
            'erase',
            <>
              <Icon name="erase" /> Erase
            </>,
            'Erase points',
          ],
          ['pan', <Icon key="pan" name="hand" />, 'Move the view'],
        ]}
        onChange={(next) => glance({ tool: next })}
      />
      <div class="row tight">
        <IconButton label="Zoom in" icon="plus" act={() => zoom(1 / ZOOM_STEP)} />
        <IconButton label="Zoom out" icon="minus" act={() => zoom(ZOOM_STEP)} />
        <IconButton label="Fit the view to the points" icon="fit" act={fitView} />
        <Layers />
      </div>
      <p class="quiet">
        {!pointsAreDue.value && `${points.value.length} points`}
        {!pointsAreDue.value &&
          shown.value &&
          `, ${timing(shown.value.picture.trainMs + shown.value.picture.fieldMs)}`}
      </p>
    </div>
  )
}

const layerNames: Readonly<Record<Layer, string>> = {
  field: 'Colours',
  lines: 'Boundary and margins',
  points: 'Points',
  rings: 'Rings',
  slack: 'Slack',
}

/** What is on the plane, to be left out and put back. */
function Layers() {
  const { hidden } = state.value
  return (
    <details class="layers">
      <summary>Layers</summary>
      <div class="card">
        {layers.map((layer) => (
          <Tick
            key={layer}
            label={layerNames[layer]}
            checked={!hidden.includes(layer)}
            onChange={(checked) =>
              glance({ hidden: checked ? hidden.filter((name) => name !== layer) : [...hidden, layer] })
            }
          />
        ))}
      </div>
    </details>
  )
}

function timing(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`
}
