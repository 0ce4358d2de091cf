/** Pages of the built package in Chromium, with and without cross-origin isolation. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { build } from 'vite'
import { findChromium } from '../../scripts/find-chromium.js'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const executablePath = findChromium()

/** How long a page is waited for, in ms: on a busy machine everything takes a while, and only a failure waits in vain. */
const PATIENCE = 120_000

/** True when a browser is there. In CI it must be. */
export const hasChromium = executablePath !== undefined

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' }

/** A bundle of the browser entry behind a server, and a browser to open it in. */
export class Site {
  private readonly server: Server
  private readonly folder: string
  private readonly browser: Browser

  private constructor(server: Server, folder: string, browser: Browser) {
    this.server = server
    this.folder = folder
    this.browser = browser
  }

  /** Bundles the package as its users would, so that it is on `window.hyperplane`, with its engine, and serves it. */
  static async open(): Promise<Site> {
    const folder = await mkdtemp(join(tmpdir(), 'hyperplane-site-'))
    const entry = join(repository, 'dist/index.browser.js')
    await writeFile(
      join(folder, 'main.js'),
      [
        `import * as hyperplane from ${JSON.stringify(entry)}`,
        `import { Engine } from ${JSON.stringify(join(repository, 'dist/engine/memory/engine.js'))}`,
        'Object.assign(window, { hyperplane, Engine })',
      ].join('\n'),
    )
    await writeFile(
      join(folder, 'index.html'),
      '<!doctype html><title>test</title><script type="module" src="/main.js"></script>',
    )
    await build({
      root: folder,
      logLevel: 'error',
      build: { outDir: 'out', target: 'esnext' },
      worker: { format: 'es' },
      resolve: { preserveSymlinks: true },
    })
    const server = createServer(async (request, response) => {
      const url = new URL(request.url ?? '/', 'http://localhost')
      const path = url.pathname.replace(/^\/(isolated|plain)\//, '/')
      // Workers and modules of an isolated page need the header too; it does no harm to a plain page.
      response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp')
      if (url.searchParams.has('no-workers'))
        response.setHeader('Content-Security-Policy', "worker-src 'none'")
      if (url.searchParams.has('isolated')) response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
      try {
        const body = await readFile(join(folder, 'out', path === '/' ? 'index.html' : path))
        response.setHeader('Content-Type', types[extname(path)] ?? 'text/html')
        response.end(body)
      } catch {
        response.statusCode = 404
        response.end()
      }
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const browser = await chromium.launch({
      executablePath,
      timeout: PATIENCE,
      args: [
        '--no-sandbox',
        // Debian's headless shell does not handle the signal by which V8 notices accesses out of bounds otherwise.
        '--js-flags=--wasm-enforce-bounds-checks',
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-sync',
      ],
    })
    return new Site(server, folder, browser)
  }

  /** Opens the page, with or without leave to start workers; `errors` collects what it complains of. */
  async page(isolated: boolean, workers = true): Promise<{ page: Page; errors: string[] }> {
    const page = await this.browser.newPage()
    page.setDefaultTimeout(PATIENCE)
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(String(error)))
    page.on('console', (message) => {
      // The browser requests an icon automatically.
      if (message.type() === 'error' && !message.location().url.endsWith('favicon.ico'))
        errors.push(message.text())
    })
    const { port } = this.server.address() as AddressInfo
    await page.goto(`http://127.0.0.1:${port}/?${isolated ? 'isolated&' : ''}${workers ? '' : 'no-workers'}`)
    await page.waitForFunction(() => 'hyperplane' in window)
    return { page, errors }
  }

  async close(): Promise<void> {
    await this.browser.close()
    await new Promise((resolve) => this.server.close(resolve))
    await rm(this.folder, { recursive: true })
  }
}
