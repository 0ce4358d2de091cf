import { PassThrough } from 'node:stream'
// What the bar loads when it is first shown: it must be there while the tests' clock runs.
import 'cli-progress'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LateBar } from '../../../src/cli/report/late-bar.ts'
import { trainingProgress } from '../../../src/cli/report/training-progress.ts'

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
    vi.useFakeTimers({ toFake: ['performance', 'Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  async function runFor(ms: number, isTTY: boolean): Promise<string> {
    const { stream, written } = terminal(isTTY)
    const bar = new LateBar(stream)
    for (let t = 0; t <= ms; t += 100) {
      bar.update('work', t / ms, `at ${t}`)
      vi.advanceTimersByTime(100)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    bar.stop()
    return written()
  }

  it('stays silent for a second, and wherever there is no terminal', async () => {
    expect(await runFor(900, true)).toBe('')
    expect(await runFor(3000, false)).toBe('')
  })

  it('shows a bar when the work lasts longer', async () => {
    const written = await runFor(3000, true)
    expect(written).toContain('work ')
    expect(written).toContain('█')
    expect(written).toContain('at 1000')
    expect(written).not.toContain('at 900')
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
