import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cliInFolder, startCli } from '../run-cli.ts'

const { run, folder } = cliInFolder()

describe('hyperplane lab', () => {
  const command = startCli(['lab', '--port', '0', '--json'], folder)
  let url: string
  beforeAll(async () => {
    const [chunk] = await once(command.stdout!, 'data')
    url = JSON.parse(String(chunk)).url
  })
  afterAll(() => command.kill())

  it('serves the page with the headers that allow threads', async () => {
    const response = await fetch(url)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(response.headers.get('cross-origin-embedder-policy')).toBe('require-corp')
    const page = await response.text()
    const script = /src="\.\/(assets\/[^"]+\.js)"/.exec(page)?.[1]
    const answer = await fetch(url + script)
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(answer.headers.get('cache-control')).toContain('immutable')
    const head = await fetch(url, { method: 'HEAD' })
    expect(await head.text()).toBe('')
    expect((await fetch(`${url}docs/theory/notation.html`)).status).toBe(200)
  })

  it('says what the page may do, and that types are as they are said', async () => {
    for (const place of ['', 'docs/theory/notation.html', 'gone.js']) {
      const { headers } = await fetch(url + place)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      const policy = headers.get('content-security-policy')
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';")
    }
  })

  it('answers only to names of this machine', async () => {
    const { port, hostname } = new URL(url)
    const statusFor = async (host: string): Promise<number | undefined> => {
      const asked = request({ hostname, port, headers: { host } }).end()
      const [answer] = (await once(asked, 'response')) as [IncomingMessage]
      answer.resume()
      return answer.statusCode
    }
    for (const host of [
      `localhost:${port}`,
      `127.0.0.1:${port}`,
      `[::1]:${port}`,
      'LOCALHOST',
      '192.168.0.7',
    ]) {
      expect([host, await statusFor(host)]).toEqual([host, 200])
    }
    for (const host of [
      `evil.example:${port}`,
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'a:b:c',
    ]) {
      expect([host, await statusFor(host)]).toEqual([host, 421])
    }
  })

  it('refuses what is not there, what lies outside, and other methods', async () => {
    expect((await fetch(`${url}gone.js`)).status).toBe(404)
    expect((await fetch(`${url}assets`)).status).toBe(404)
    expect((await fetch(url, { method: 'POST' })).status).toBe(405)
    // fetch tidies addresses up: ask as a rude client would.
    const { port, hostname } = new URL(url)
    for (const path of ['/../cli/main.js', '/%2e%2e/cli/main.js', '/..%2fcli%2fmain.js', '/%ff']) {
      const asked = request({ hostname, port, path }).end()
      const [answer] = (await once(asked, 'response')) as [IncomingMessage]
      answer.resume()
      expect(answer.statusCode, path).toBe(404)
    }
  })

  it('says what is wrong with a port', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const { code, stderr } = await run('lab', '--port', String(port))
    expect(code).toBe(1)
    expect(stderr).toBe(
      `error: port ${port} is in use; choose another one with --port, or 0 for any free port\n`,
    )
    taken.close()
    const misused = await run('lab', '--port', '70000')
    expect(misused).toMatchObject({
      code: 2,
      stderr: 'error: lab: --port must be a whole number from 0 to 65535, got 70000\n',
    })
  })
})
