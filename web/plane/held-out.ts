/** How many points are held out; ./is-held-out.ts says which. */
import { computed } from '@preact/signals'
import { mode, state } from '../state/store.ts'

/** The share of the points that is held out now: on the plane only, other parts split in their own way. */
export const heldOutShare = computed(() => (mode.value === 'plane' ? state.value.heldOut : 0))
