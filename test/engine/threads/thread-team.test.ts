/** When helper threads are started. */
import { afterEach, expect, it } from 'vitest'
import { compileEngine } from '../../../src/engine/memory/engine-build.ts'
import { setThreadSpawner, ThreadTeam } from '../../../src/engine/threads/thread-team.ts'

afterEach(() => setThreadSpawner(() => undefined, 1))

/** A team whose helpers are counted instead of started. */
function countingTeam(): { team: ThreadTeam; started: number[] } {
  const started: number[] = []
  setThreadSpawner(({ index }) => {
    started.push(index)
    return undefined
  }, 3)
  const memory = new WebAssembly.Memory({ initial: 2, maximum: 2, shared: true })
  return { team: new ThreadTeam(compileEngine().module, memory), started }
}

it('helpers start at once for work that is sure to be worth it', () => {
  const { team, started } = countingTeam()
  team.resize(3, true)
  expect(started).toEqual([0, 1])
  expect(team.isShort).toBe(false)
})

it('else after jobs that took longer than starting them, whoever ran them', () => {
  const { team, started } = countingTeam()
  team.resize(3, false)
  expect(team.size).toBe(3)
  team.spend(60)
  expect(started).toEqual([])
  expect(team.isShort).toBe(true)
  team.resize(2, false)
  team.resize(3, false)
  team.spend(60)
  expect(started).toEqual([0, 1])
  expect(team.isShort).toBe(false)
  team.end()
})
