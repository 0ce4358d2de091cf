/** The page of tasks names what exists. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { repository } from '../architecture/module-graph.ts'
import { tableRows } from '../markdown.ts'

it('docs/guide/tasks.md has 25 tasks, each with an example or a test that is there', () => {
  const rows = tableRows(readFileSync(join(repository, 'docs/guide/tasks.md'), 'utf8'), 'task')
  expect(rows).toHaveLength(25)
  for (const [task, where] of rows) {
    const tests = Array.from(where.matchAll(/`(test\/[^`]+)`/g), ([, path]) => path)
    const examples = Array.from(where.matchAll(/\((?:\.\.\/){2}(examples\/[^)]+)\)/g), ([, path]) => path)
    expect(tests.length + examples.length, task).toBeGreaterThan(0)
    for (const path of [...tests, ...examples]) expect(existsSync(join(repository, path)), path).toBe(true)
  }
})
