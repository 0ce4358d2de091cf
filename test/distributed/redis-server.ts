/** A redis-server of its own for a test file. Where there is none the tests are skipped, loudly; with CI=true they fail. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** Whether tests that need a server are left out. */
export const withoutRedis = spawnSync('redis-server', ['--version']).status !== 0 && process.env.CI !== 'true'
if (withoutRedis) console.warn('SKIPPED: there is no redis-server here (apt-get install redis-server)')

/** A server that can be killed and started again on the same port and files. */
export class TestRedis {
  readonly folder: string
  private readonly port: number
  private readonly settings: readonly string[]
  private child: ChildProcess | undefined

  private constructor(port: number, settings: readonly string[]) {
    this.port = port
    this.settings = settings
    this.folder = mkdtempSync(join(tmpdir(), 'hyperplane-redis-'))
  }

  /** Starts one on a free port; `settings` are flags of redis-server. */
  static async start(...settings: string[]): Promise<TestRedis> {
    const redis = new TestRedis(await freePort(), settings)
    await redis.begin()
    return redis
  }

  /** Its address, with credentials where they are needed. */
  url(credentials = ''): string {
    return `redis://${credentials}127.0.0.1:${this.port}`
  }

  /** Runs a command of redis-cli. */
  command(...words: string[]): string {
    return spawnSync('redis-cli', ['-p', String(this.port), ...words], { encoding: 'utf8' }).stdout.trim()
  }

  async begin(): Promise<void> {
    const flags = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.folder, '--save', '']
    this.child = spawn('redis-server', [...flags, ...this.settings], { stdio: 'ignore' })
    for (let k = 0; k < 200; k++) {
      if (/PONG|NOAUTH/.test(this.command('ping'))) return
      await setTimeout(25)
    }
    throw new Error('redis-server does not answer')
  }

  /** Ends it as a power failure would. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const { child } = this
    if (!child || child.exitCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await ended
  }

  async stop(): Promise<void> {
    await this.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
