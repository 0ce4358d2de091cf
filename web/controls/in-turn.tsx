/** Parts of the page that are mounted one after the other, a frame each, so that none of it blocks the page. */
import { signal } from '@preact/signals'
import { type ComponentChildren, toChildArray } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

/** Whether parts are still to come. */
export const mounting = signal(false)

/** Parts that wait for their turn, anywhere on the page. */
const queue: (() => void)[] = []

/** Mounts its children in turn. */
export function InTurn({ children }: { readonly children: ComponentChildren }) {
  const all = toChildArray(children)
  const [count, setCount] = useState(1)
  useLayoutEffect(() => {
    if (count >= all.length) return
    queue.push(() => setCount(count + 1))
    if (mounting.value) return
    mounting.value = true
    afterFrame(moveOn)
  }, [count, all.length])
  return all.slice(0, count)
}

function moveOn(): void {
  const next = queue.shift()
  next?.()
  if (next) afterFrame(moveOn)
  else mounting.value = false
}

/** Once what is new has been painted. */
function afterFrame(act: () => void): void {
  requestAnimationFrame(() => setTimeout(act))
}
