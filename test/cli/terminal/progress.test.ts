import { PassThrough } from 'node:stream'
// Loaded before time is stopped.
import 'cli-progress'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LateBar } from '../../../src/cli/terminal/late-bar.ts'
import { trainingProgress } from '../../../src/cli/terminal/training-progress.ts'

function terminal(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 80 })
  let written = ''
  stream.on('data', (chunk) => {
    written += chunk
  })
  return { stream: stream as unknown as NodeJS.WriteStream, written: () => written }
}

describe('LateBar', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    vi.stubEnv('TERM', 'xterm')
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllEnvs()
  })

  /** Updates at the given moments, in ms. */
  async function runFor(ms: number, isTTY: boolean, moments: readonly number[]): Promise<string> {
    const { stream, written } = terminal(isTTY)
    const bar = new LateBar('work', 'not begun', stream)
    for (let t = 0; t <= ms; t += 100) {
      if (moments.includes(t)) bar.update('work', (moments.indexOf(t) + 1) / 4, `at ${t}`)
      await vi.advanceTimersByTimeAsync(100)
      for (let k = 0; k < 20; k++) await new Promise((resolve) => setImmediate(resolve))
    }
    bar.stop()
    return written()
  }

  it('stays silent for a moment, and wherever there is no terminal', async () => {
    expect(await runFor(500, true, [0, 300])).toBe('')
    expect(await runFor(3000, false, [0, 300, 2000])).toBe('')
    vi.stubEnv('TERM', 'dumb')
    expect(await runFor(3000, true, [0, 300, 2000])).toBe('')
  })

  it('appears within a second, also where nothing is done yet', async () => {
    expect(await runFor(900, true, [])).toContain('work ░░░░░░░░░░░░░░░░░░░░░░░░ not begun')
  })

  it('counts what was done before it appeared, and the first unit after that', async () => {
    expect(await runFor(900, true, [300])).toContain('work ██████░░░░░░░░░░░░░░░░░░ at 300')
    const late = await runFor(3000, true, [2000])
    expect(late).toContain('not begun')
    expect(late).toContain('work ██████░░░░░░░░░░░░░░░░░░ at 2000')
  })
})

describe('trainingProgress', () => {
  it('counts powers of ten towards the tolerance or nears a limit, and never goes back', () => {
    const shown: number[] = []
    const bar = { update: (_: string, fraction: number) => shown.push(fraction) } as unknown as LateBar
    const report = trainingProgress(bar, { timeLimit: 100 })
    const at = (violation: number, seconds: number) =>
      report({ solver: 'smo', iteration: 1, seconds, violation, tol: 1e-3 })
    at(10, 1)
    at(1, 2)
    at(5, 3)
    at(1e-3, 4)
    expect(shown[0]).toBeCloseTo(0.01)
    expect(shown[1]).toBeCloseTo(0.25)
    expect(shown[2]).toBe(shown[1])
    expect(shown[3]).toBe(1)
  })
})
