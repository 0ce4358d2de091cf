/** The built Lab in Chromium: served by the command, and by a plain server of static files. */
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { findChromium } from '../../scripts/find-chromium.js'
import { initialState, type LabState } from '../../web/state/lab-state.ts'
import { toLink } from '../../web/state/link.ts'
import { startCli } from '../cli/run-cli.ts'

const folder = fileURLToPath(new URL('../../dist/lab', import.meta.url))
const executablePath = findChromium()

/** How long a page is waited for, in ms: on a busy machine everything takes a while, and only a failure waits in vain. */
const PATIENCE = 120_000

/** Whether the tests of the Lab are left out, for want of a browser; says so, once. In CI they fail instead. */
export const isLeftOut = !executablePath && !process.env.CI
if (isLeftOut)
  console.warn('tests of the Lab are skipped: no Chromium (apt-get install chromium-headless-shell)')

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

/** A page, what it complained of, and what it asked other machines for. */
export interface OpenPage {
  readonly page: Page
  readonly errors: string[]
  readonly strangers: string[]
  /** Bytes of script as they lie on the disk, by file. */
  readonly scripts: Map<string, Buffer>
}

/** See the header of the file. */
export class LabSite {
  readonly isolatedUrl: string
  readonly plainUrl: string
  private readonly command: ChildProcess
  private readonly plain: Server
  private readonly browser: Browser

  private constructor(command: ChildProcess, isolatedUrl: string, plain: Server, browser: Browser) {
    this.command = command
    this.isolatedUrl = isolatedUrl
    this.plain = plain
    this.plainUrl = `http://127.0.0.1:${(plain.address() as AddressInfo).port}/some/folder/`
    this.browser = browser
  }

  static async open(): Promise<LabSite> {
    const command = startCli(['lab', '--port', '0', '--json'], process.cwd())
    const url = new Promise<string>((resolve, reject) => {
      command.stdout?.once('data', (chunk) => resolve(JSON.parse(String(chunk)).url))
      command.once('close', (code) => reject(new Error(`hyperplane lab ended with exit code ${code}`)))
    })
    const browser = chromium.launch({
      executablePath,
      timeout: PATIENCE,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'],
    })
    return new LabSite(command, await url, await servePlain(), await browser)
  }

  /** A context without a page, for what is to be prepared before the Lab is opened. */
  async newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
    context.setDefaultTimeout(PATIENCE)
    return context
  }

  /** Opens the Lab at a state; service workers are off unless requested. */
  async page(
    options: BrowserContextOptions & { readonly isolated?: boolean; readonly hash?: string } = {},
  ): Promise<OpenPage> {
    const { isolated = true, hash = '', ...context } = options
    const opened = await this.newContext({ serviceWorkers: 'block', reducedMotion: 'reduce', ...context })
    const page = await opened.newPage()
    const url = isolated ? this.isolatedUrl : this.plainUrl
    const errors: string[] = []
    const strangers: string[] = []
    const scripts = new Map<string, Buffer>()
    page.on('pageerror', (error) => errors.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    opened.on('request', (request) => {
      const { origin, protocol } = new URL(request.url())
      if (protocol.startsWith('http') && origin !== new URL(url).origin) strangers.push(request.url())
    })
    opened.on('response', (response) => {
      const [name] = /assets\/.*\.(js|wasm)$/.exec(new URL(response.url()).pathname) ?? []
      // Synchronously: a test may look as soon as the script has run.
      if (name) scripts.set(name, readFileSync(join(folder, name)))
    })
    await page.goto(url + hash)
    await page.waitForFunction(() => 'lab' in window)
    await mounted(page)
    return { page, errors, strangers, scripts }
  }

  async close(): Promise<void> {
    await this.browser.close()
    this.command.kill('SIGINT')
    await new Promise((resolve) => this.plain.close(resolve))
  }
}

/** A server that knows nothing of headers, and serves the Lab from a folder inside it. */
async function servePlain(): Promise<Server> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const name = pathname.replace(/^\/some\/folder\//, '') || 'index.html'
    try {
      const body = await readFile(join(folder, name))
      response.setHeader('Content-Type', types[extname(name)] ?? 'text/plain')
      response.end(body)
    } catch {
      response.statusCode = 404
      response.end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** What `web/console.ts` puts on the page, as far as tests look at it. */
export interface LabConsole {
  state(): {
    mode: string
    view: { x: number; y: number; half: number; stretch: number }
    settings: {
      problem: string
      C: number
      seed: number
      nu: number
      solver: string
      kernel: { kind: string; gamma?: number }
    }
    fileModel: { C: number; kernel: { kind: string; gamma?: number | string } }
  }
  points(): { x: number; y: number; c: number }[]
  shown():
    | {
        points: unknown
        settings: unknown
        picture: {
          kind: string
          score: number
          certificates: { stopReason: string; primal: number; dual: number }[]
          coefficients: Float64Array
          values: Float64Array
          testScore?: number
          classes: number[]
          votes?: Uint8Array
          bias: number
          trainMs: number
        }
      }
    | undefined
  take():
    | {
        settings: { solver: string; tol: number; problem: string }
        samples: { x: number; y: number; c: number }[]
        signs: number[]
        recording: {
          kind: string
          shrunk?: { from: number; samples: Uint32Array }[]
          others?: { runs: number; stepAt: Uint32Array; lines: Float32Array[] }
          stepAt: Uint32Array
          frames: number
          samples: number
          steps: number
          coefficients: Float64Array
          bias: Float64Array
          bounds?: { up: Float64Array; low: Float64Array }
          sets?: Uint32Array[]
          certificate: { stopReason: string; solver: string }
          pairs?: Float64Array
          moves?: Float64Array
        }
      }
    | undefined
  frame(): number
  race(): { runs: { solver: string; times: number[]; certificate: { stopReason: string } }[] } | undefined
  painted(): {
    count: number
    shot?: {
      field?: { kind: string; fields: Float32Array[] }
      hidden?: string[]
      over?: { kind: string; x: number; y: number }[]
      others?: Float32Array
      pale?: Uint8Array
      points?: { heldOut?: Uint8Array }
    }
  }
  cells(): ({ C: number; gamma: number; validation: number; training: number } | undefined)[]
  file(): { rows: number; columns: string[] } | undefined
  preview(): { name: string; peek: { format: string; label?: number; rows: string[][] } } | undefined
  tuned():
    | {
        isComplete: boolean
        cells: { mean: number }[]
        best?: { params: Record<string, number>; mean: number }
      }
    | undefined
  story(): string | undefined
  done(): string[]
  result():
    | {
        accuracy: number
        confusion: number[][]
        targets?: { r2: number; meanError: number }
        picture: { certificates: { primal: number; dual: number }[] }
      }
    | undefined
}

declare global {
  var lab: LabConsole
}

/** A link to a state that differs in these parts from the one at the start. */
export async function linkTo(part: Partial<LabState>): Promise<string> {
  return `#${await toLink({ state: { ...initialState, ...part } })}`
}

/** Goes to a part of the Lab. */
export async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation').getByRole('button', { name }).click()
  await mounted(page)
}

/** Waits until all parts of the page are there: they come one after the other. */
async function mounted(page: Page): Promise<void> {
  await page.locator('main:not([aria-busy=true])').waitFor()
}

/** Waits until nothing on the page has moved for some frames: what is clicked by its place must stay there. */
export async function still(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const places = () =>
      JSON.stringify([scrollX, scrollY, document.querySelector('.plane')?.getBoundingClientRect()])
    let [last, unchanged] = [places(), 0]
    while (unchanged < 5) {
      await new Promise(requestAnimationFrame)
      const now = places()
      unchanged = now === last ? unchanged + 1 : 0
      last = now
    }
  })
}

/** Where the plane is on the screen, once it rests there. */
export async function planeBox(page: Page): Promise<{ x: number; y: number; width: number; height: number }> {
  const plane = page.locator('.plane')
  await plane.scrollIntoViewIfNeeded()
  await still(page)
  return (await plane.boundingBox())!
}

/** Copies a link to the state of the page; what stands after `#` in it. */
export async function copyLink(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Copy a link to this state' }).click()
  await page
    .getByText(/Link copied|in the address bar/)
    .first()
    .waitFor()
  // The page knows its address before the browser says so.
  return page.evaluate(() => location.hash)
}

/** Trains on the open file, and waits for the new model. */
export async function train(page: Page): Promise<void> {
  const before = await page.evaluateHandle(() => lab.result())
  await page.getByRole('button', { name: 'Train', exact: true }).click()
  await page.waitForFunction((old) => lab.result() !== undefined && lab.result() !== old, before)
}

/** Waits until the plane shows a model of the points and settings as they are now. */
export async function trained(page: Page): Promise<void> {
  await page.waitForFunction(
    () => lab.shown()?.points === lab.points() && lab.shown()?.settings === lab.state().settings,
  )
}

/** Clicks a button that offers a file, and says where the file is now. */
export async function downloaded(page: Page, button: string, folder: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ])
  const path = join(folder, `down-${file.suggestedFilename()}`)
  await file.saveAs(path)
  return path
}
