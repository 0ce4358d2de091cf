/** A worker that cannot keep what it fetches says so, and the others continue. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { cliInFolder, resultOf, startCli } from '../cli/run-cli.ts'
import { TestRedis, withoutRedis } from './redis-server.ts'

/** A file system of 64 kB; undefined where this user may not have one. */
function smallDisk(path: string): (() => void) | undefined {
  mkdirSync(path)
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', path])
  return status === 0 ? () => void spawnSync('umount', [path]) : undefined
}

describe.skipIf(withoutRedis)('a worker whose cache is on a full disk', () => {
  const cli = cliInFolder()

  it('says so, and leaves the jobs to others', async (context) => {
    const unmount = smallDisk(cli.path('small'))
    if (!unmount) return context.skip('mount is not allowed here')
    const own = await TestRedis.start()
    const server = createServer(async (request, response) => {
      const file = await readFile(cli.path((request.url ?? '').slice(1))).catch(() => undefined)
      response.statusCode = file ? 200 : 404
      response.end(file)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(server.address() as { port: number }).port}/`
    const workerWith = (cache: string) =>
      startCli(
        ['worker', '--queue', own.url(), '--threads', '1', '--data', address, '--cache', cache],
        cli.folder,
      )
    const full = workerWith('small')
    const fullEnds = resultOf(full)
    try {
      await cli.run('generate', 'moons', '-n', '3000', '--noise', '0.3', '-o', 'moons.libsvm')
      const grid = ['--C', '1', '--gamma', '0.5,2', '--folds', '3', '--json', '--queue', own.url()]
      const coordinator = startCli(['tune', 'moons.libsvm', ...grid], cli.folder)
      const searching = resultOf(coordinator)
      const heard = { worker: '', search: '' }
      full.stderr?.on('data', (text) => {
        heard.worker += text
      })
      coordinator.stderr?.on('data', (text) => {
        heard.search += text
      })
      while (!heard.worker.includes('refused')) await setTimeout(50)
      expect(heard.worker).toContain(
        'no space left on the disk; free some space, or choose another folder with --cache',
      )
      // The search looks at its workers every other second; a worker that can do it would be done before that.
      while (!heard.search.includes('no space left on the disk')) await setTimeout(50)
      const good = workerWith('cache')
      const goodEnds = resultOf(good)
      const first = await searching
      // On a machine so busy that the second worker came after all workers had refused for long enough, the search goes on now.
      const wasGivenUp = first.stderr.includes('no worker can do this')
      const { code, stdout } = wasGivenUp ? await cli.run('tune', 'moons.libsvm', ...grid) : first
      expect(code).toBe(0)
      expect(JSON.parse(stdout).cells.length).toBe(2)
      good.kill('SIGTERM')
      await goodEnds
    } finally {
      full.kill('SIGTERM')
      await fullEnds
      unmount()
      rmSync(cli.path('small'), { recursive: true })
      server.close()
      await own.stop()
    }
  })
})
