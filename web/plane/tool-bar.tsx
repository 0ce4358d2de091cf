/** What a click on the plane does. */

import { Choice } from '../controls/fields.tsx'
import { Icon } from '../controls/icon.tsx'
import type { ClassIndex, Tool } from '../state/lab-state.ts'
import { glance, points, pointsAreDue, state } from '../state/store.ts'
import { shown } from './live.ts'
import { Mark } from './mark.tsx'

const classes: readonly ClassIndex[] = [0, 1, 2, 3]

/** See the head of the file. */
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
        ]}
        onChange={(next) => glance({ tool: next })}
      />
      <p class="quiet">
        {!pointsAreDue.value && `${points.value.length} points`}
        {!pointsAreDue.value &&
          shown.value &&
          `, ${timing(shown.value.picture.trainMs + shown.value.picture.fieldMs)}`}
      </p>
    </div>
  )
}

function timing(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`
}
