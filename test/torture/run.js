// npm run torture: see ./torture.ts for the sections and flags.
import { register } from 'node:module'

register('./typescript-hooks.js', import.meta.url)
await import('./torture.ts')
