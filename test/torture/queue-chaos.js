// The long form of the chaos of a queue: see ./queue-campaign.ts.
import { register } from 'node:module'

register('./typescript-hooks.js', import.meta.url)
await import('./queue-campaign.ts')
