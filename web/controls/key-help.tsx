/** The keys of the Lab, in its own window: `?` opens it. */
import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

/** Whether it is open. */
export const showsKeys = signal(false)

const groups: readonly (readonly [title: string, keys: readonly (readonly [key: string, does: string])[]])[] =
  [
    [
      'Anywhere',
      [
        ['?', 'show or hide this list'],
        ['Ctrl Z, Ctrl Shift Z', 'undo, redo'],
        ['Page Down, Page Up', 'in the story: next stop, stop before'],
      ],
    ],
    [
      'On the plane, when it has the focus',
      [
        ['arrows, Shift arrows', 'move the cursor, in larger steps'],
        ['Enter', 'add a point'],
        ['1 to 4', 'choose its class'],
        ['N', 'go to the next point, and inspect it'],
        ['M', 'pick up the nearest point, put it down'],
        ['C', 'change its class'],
        ['Delete', 'erase it'],
        ['+, −, 0', 'zoom in, zoom out, fit'],
      ],
    ],
    [
      'In Watch',
      [
        ['Space', 'play or pause'],
        ['←, →', 'one step back, one step forward'],
        ['Home, End', 'to the start, to the end'],
      ],
    ],
  ]

/** See the header of the file. */
export function KeyHelp() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (showsKeys.value) dialog.current?.showModal()
    else dialog.current?.close()
  }, [showsKeys.value])
  return (
    <dialog
      ref={dialog}
      class="keys"
      aria-labelledby="keys-title"
      onClose={() => {
        showsKeys.value = false
      }}
    >
      <div class="spread">
        <h2 id="keys-title">Keys</h2>
        <button
          type="button"
          onClick={() => {
            showsKeys.value = false
          }}
        >
          Close
        </button>
      </div>
      {groups.map(([title, keys]) => (
        <section key={title}>
          <h3>{title}</h3>
          <dl>
            {keys.map(([key, does]) => (
              <div key={key}>
                <dt>{key}</dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </dialog>
  )
}
