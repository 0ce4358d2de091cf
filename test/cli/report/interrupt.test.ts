import { Command } from 'commander'
import { afterEach, expect, it, vi } from 'vitest'
import { Interrupted, keepingReached } from '../../../src/cli/report/interrupt.ts'
import { reportFailure } from '../../../src/cli/report/report-failure.ts'

afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = undefined
})

it('work that was interrupted before there was a result fails, with an object for programs', async () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const work = keepingReached(
    { title: 'fitting', part: 'fold' },
    async ({ signal }): Promise<{ complete: boolean }> => {
      process.emit('SIGINT')
      signal.throwIfAborted()
      return { complete: true }
    },
    () => 0,
  )
  const error = await work.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(Interrupted)
  expect(reportFailure(error, new Command('hyperplane'), ['cv', 'd', '--json'])).toBe(1)
  const message = 'stopped before any fold was finished'
  expect(said.mock.calls.at(-1)?.[0]).toBe(`error: ${message}\n`)
  expect(JSON.parse(String(printed.mock.calls.at(-1)?.[0]))).toEqual({
    error: { message, code: 'interrupted', exitCode: 1 },
  })
})
