/** A file may be let go anywhere on the page: it is opened in "Your data", whatever is on show. */
import { signal } from '@preact/signals'
import { glance } from '../state/store.ts'
import { openFile } from './file-state.ts'

/** Whether a file is being dragged over the page. */
export const hovering = signal(false)

/** Starts to take files. */
export function followDrops(): void {
  addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    hovering.value = true
  })
  addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) hovering.value = false
  })
  addEventListener('drop', (event) => {
    const [dropped] = event.dataTransfer?.files ?? []
    if (!dropped) return
    event.preventDefault()
    hovering.value = false
    glance({ mode: 'data' })
    void openFile(dropped)
  })
}
