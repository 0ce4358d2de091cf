import { expect, it } from 'vitest'
import { readRandomTable } from './random-tables.ts'

/** HYPERPLANE_TABLES=20000 reads as many; the short form has the first of them. */
const count = Number(process.env.HYPERPLANE_TABLES ?? 500)

it('random tables are read as they were written, or refused with line and column', {
  timeout: 600_000,
}, async () => {
  for (let seed = 0; seed < count; seed++) expect(await readRandomTable(seed)).toBeUndefined()
})
