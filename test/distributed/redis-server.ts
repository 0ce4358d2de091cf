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

/** A certificate and its key, as files. */
export interface Certificate {
  readonly file: string
  readonly key: string
}

/** A certificate for this machine that is signed by itself. */
export function selfSigned(folder: string): Certificate {
  const file = join(folder, 'redis.crt')
  const key = join(folder, 'redis.key')
  const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', file]
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const { status, stderr } = spawnSync('openssl', ['req', ...made, ...names], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`openssl: ${stderr}`)
  return { file, key }
}

/** A server that can be killed and started again on the same port and files. */
export class TestRedis {
  readonly folder: string
  private readonly port: number
  private readonly settings: readonly string[]
  private readonly tls: readonly string[]
  private child: ChildProcess | undefined

  private constructor(port: number, settings: readonly string[], certificate?: Certificate) {
    this.port = port
    this.settings = settings
    this.tls = certificate
      ? ['--tls', '--cert', certificate.file, '--key', certificate.key, '--cacert', certificate.file]
      : []
    this.folder = mkdtempSync(join(tmpdir(), 'hyperplane-redis-'))
  }

  /** Starts one on a free port; `settings` are flags of redis-server. */
  static async start(...settings: string[]): Promise<TestRedis> {
    for (let attempt = 0; ; attempt++) {
      const redis = new TestRedis(await freePort(), settings)
      try {
        await redis.begin()
        return redis
      } catch (error) {
        // Somebody else took the port in the meantime.
        await redis.stop()
        if (attempt === 4) throw error
      }
    }
  }

  /** The same behind TLS alone, with a certificate that nobody knows. */
  static async startWithTls(certificate: Certificate, ...settings: string[]): Promise<TestRedis> {
    const port = await freePort()
    const { file, key } = certificate
    const tls = ['--tls-port', String(port), '--tls-cert-file', file, '--tls-key-file', key]
    const ca = ['--tls-ca-cert-file', file, '--tls-auth-clients', 'no', '--port', '0']
    const redis = new TestRedis(port, [...tls, ...ca, ...settings], certificate)
    await redis.begin()
    return redis
  }

  /** Its address, with credentials where they are needed. */
  url(credentials = ''): string {
    return `${this.tls.length > 0 ? 'rediss' : 'redis'}://${credentials}127.0.0.1:${this.port}`
  }

  /** Runs a command of redis-cli. */
  command(...words: string[]): string {
    return spawnSync('redis-cli', ['-p', String(this.port), ...this.tls, ...words], {
      encoding: 'utf8',
    }).stdout.trim()
  }

  async begin(): Promise<void> {
    const flags = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.folder, '--save', '']
    this.child = spawn('redis-server', [...flags, ...this.settings], { stdio: 'ignore' })
    const { child } = this
    while (child.exitCode === null) {
      if (/PONG|NOAUTH|NOPERM/.test(this.command('ping')) && child.exitCode === null) return
      await setTimeout(25)
    }
    throw new Error(`redis-server ended with exit code ${child.exitCode}`)
  }

  /** Ends it as a power failure would. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const { child } = this
    if (!child || child.exitCode !== null || child.signalCode !== null) return
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
