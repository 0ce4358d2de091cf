/** Whether the plane is also seen in space. The card is loaded when it is first wanted. */
import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'

/** The card, once it has been loaded. */
export const LiftCard = signal<ComponentType | undefined>(undefined)
/** Whether it is open. */
export const showsLift = signal(false)
