/** The file that is open in "Your data", as a link would hold it. */
import { signal } from '@preact/signals'
import type { Shared } from './link.ts'

/** Undefined while no file is open, or it is too large or not text. */
export const sharedFile = signal<Shared['file']>(undefined)
