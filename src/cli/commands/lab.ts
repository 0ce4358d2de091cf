/** `hyperplane lab`: serves the Lab on this machine, with the headers that let pages share memory between threads. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, isIP, isIPv6 } from 'node:net'
import { hostname } from 'node:os'
import { extname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DataError, ParameterError } from '../../base/errors.ts'
import { type Flags, numberOption, subcommand, switchOption, textOption } from '../options/options.ts'
import { COMMAND } from '../report/failure.ts'
import { printResult } from '../report/output.ts'

/** The built page lies beside the built command. */
const folder = fileURLToPath(new URL('../lab', import.meta.url))
/** A port that common servers leave free: fixed, so that links to the page stay valid. */
const DEFAULT_PORT = 4242
/** Ports have 16 bits. */
const HIGHEST_PORT = 65_535

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
}

/** All that the page needs: files of its own, WebAssembly, styles on its elements, images made on the page. */
const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** What every answer says. The first three make a page cross-origin isolated, so that it may use threads. */
const headers: Readonly<Record<string, string>> = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}

/** Why a request is not answered. */
const refusals: Readonly<Record<number, string>> = {
  404: 'not found',
  405: 'only GET and HEAD',
  421: 'the Lab does not answer to this host name; allow it with --host NAME',
}

const options = {
  port: numberOption(`port to listen on; 0 selects any free port (default ${DEFAULT_PORT})`),
  host: textOption(
    'address',
    'address to listen on; 0.0.0.0 allows access from other machines (default 127.0.0.1)',
  ),
  open: switchOption('open the page in the browser'),
}

/** Adds arguments, options and action. */
export const configure = subcommand({
  options,
  notes: 'Example:\n  $ hyperplane lab --open\n\nPress Ctrl-C to stop it.',
  run,
})

async function run(flags: Flags<typeof options>): Promise<void> {
  const { port = DEFAULT_PORT, host = '127.0.0.1' } = flags
  if (!Number.isInteger(port) || port < 0 || port > HIGHEST_PORT) {
    throw new ParameterError(COMMAND, '--port', `a whole number from 0 to ${HIGHEST_PORT}`, port)
  }
  const root = await realpath(folder).catch(() => {
    throw new DataError(`${folder}: the Lab is not built; run 'npm run build'`)
  })
  const isOurs = hostCheck(host)
  const server = createServer((request, response) => {
    if (isOurs(request.headers.host)) void answer(root, request, response)
    else refuse(response, 421)
  })
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw new DataError(`port ${port} is in use; choose another one with --port, or 0 for any free port`)
    }
    throw error
  }
  const { port: chosen } = server.address() as AddressInfo
  const everywhere = host === '0.0.0.0' || host === '::'
  const url = `http://${everywhere ? 'localhost' : isIPv6(host) ? `[${host}]` : host}:${chosen}/`
  printResult(flags, { url, port: chosen, host }, () => [`The Lab is at ${url} (press Ctrl-C to stop)`])
  if (flags.open) openInBrowser(url)
  process.once('SIGINT', () => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'close')
}

/**
 * Whether a request means this server, by its Host header. A page of another site can have its own name lead to this
 * machine and ask as if it were at home (DNS rebinding); it cannot change the name.
 */
function hostCheck(host: string): (header: string | undefined) => boolean {
  const machine = hostname().toLowerCase()
  const names = ['localhost', host.toLowerCase(), machine, `${machine}.local`]
  return (header = '') => {
    const name = /^(.*?)(:\d*)?$/.exec(header.toLowerCase())?.[1] ?? ''
    return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || names.includes(name)
  }
}

async function answer(root: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  setHeaders(response)
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405)
  const file = await fileFor(root, request.url ?? '/')
  if (!file) return refuse(response, 404)
  response.setHeader('Content-Type', types[extname(file)] ?? 'application/octet-stream')
  // Names of assets change with their content; the others are requested anew each time.
  const lasting = file.includes(`${sep}assets${sep}`)
  response.setHeader('Cache-Control', lasting ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (request.method === 'HEAD') response.end()
  else
    createReadStream(file)
      .on('error', () => response.destroy())
      .pipe(response)
}

function setHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
}

function refuse(response: ServerResponse, status: keyof typeof refusals): void {
  setHeaders(response)
  response.statusCode = status
  response.setHeader('Content-Type', 'text/plain; charset=utf-8')
  response.end(`${refusals[status]}\n`)
}

/** The file that an address means, if it lies in the folder. */
async function fileFor(root: string, url: string): Promise<string | undefined> {
  try {
    const name = decodeURIComponent(new URL(url, 'http://lab').pathname)
    const path = await realpath(join(root, name.endsWith('/') ? `${name}index.html` : name))
    return path.startsWith(root + sep) && (await stat(path)).isFile() ? path : undefined
  } catch {
    return undefined
  }
}

function openInBrowser(url: string): void {
  const [program, ...before] =
    process.platform === 'win32'
      ? ['cmd', '/c', 'start', '']
      : [process.platform === 'darwin' ? 'open' : 'xdg-open']
  const child = spawn(program, [...before, url], { stdio: 'ignore', detached: true })
  child.on('error', () => process.stderr.write(`cannot open a browser; open ${url} yourself\n`))
  child.unref()
}
