/** The file that is open in "Your data", as a link would hold it. */
import { signal } from '@preact/signals'
import type { Shared } from './link.ts'

/** Undefined while no file is open; `'unfit'` where it is too large for a link, or not text. */
export const sharedFile = signal<Shared['file'] | 'unfit'>(undefined)
