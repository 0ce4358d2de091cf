/** Training and test error along C or γ, computed while the rest of the page is at work. */
import { effect, signal } from '@preact/signals'
import { heldOutShare } from '../plane/held-out.ts'
import { planeData } from '../plane/plane-data.ts'
import type { Settings } from '../state/lab-state.ts'
import { settings as current, points, pointsAreDue } from '../state/store.ts'
import { Cancelled, jobWorker } from '../worker/client.ts'
import type { ErrorCurve } from '../worker/messages.ts'

/** What varies along the curve. */
export const along = signal<'C' | 'gamma'>('C')
/** The curve, once it is known. */
export const curve = signal<ErrorCurve | undefined>(undefined)
/** Why there is none. */
export const curveProblem = signal<string | undefined>(undefined)

/** More points make one wait too long: every place is a training. */
const MOST_POINTS = 1000
/** The curve follows when the sliders rest. */
const QUIET_MS = 350

let controller: AbortController | undefined
let timer: ReturnType<typeof setTimeout> | undefined
let shownFor = ''

/** Follows points and settings while points are held out. */
export function followCurves(): void {
  effect(() => {
    const share = heldOutShare.value
    const list = points.value
    const own = current.value
    const axis = along.value
    clearTimeout(timer)
    if (share === 0 || pointsAreDue.value) return
    const problem = whyNoCurve(own, axis, list.length)
    curveProblem.value = problem
    if (problem) {
      curve.value = undefined
      shownFor = ''
      return
    }
    // The place on the curve does not matter to the curve.
    const fixed = axis === 'C' ? { ...own, C: 1 } : { ...own, kernel: { ...own.kernel, gamma: 1 } }
    const key = JSON.stringify([list, fixed, axis, share])
    if (key === shownFor) return
    timer = setTimeout(() => {
      shownFor = key
      controller?.abort()
      controller = new AbortController()
      const { signal: abort } = controller
      void jobWorker
        .call('errors', { data: planeData(list, share), settings: own, along: axis }, { signal: abort })
        .then((found) => {
          curve.value = found
        })
        .catch((error: Error) => {
          if (error instanceof Cancelled) return
          curve.value = undefined
          curveProblem.value = error.message
        })
    }, QUIET_MS)
  })
}

function whyNoCurve({ problem, kernel }: Settings, axis: 'C' | 'gamma', count: number): string | undefined {
  if (count > MOST_POINTS) return `The curves take at most ${MOST_POINTS.toLocaleString('en')} points.`
  if (problem !== 'svc' && problem !== 'nu-svc') return 'The curves are for classification.'
  if (axis === 'C' && problem !== 'svc') return 'ν-SVC has no C: look along γ.'
  return axis === 'gamma' && !('gamma' in kernel) ? 'This kernel has no γ.' : undefined
}
