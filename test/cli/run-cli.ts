import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/** How a command ended and what it said. */
export interface CliResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Starts the built command; without colours, unless `env` says otherwise. */
export function startCli(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): ChildProcess {
  const { FORCE_COLOR: _, NO_COLOR: __, ...plain } = process.env
  return spawn(process.execPath, [main, ...args], { cwd, env: { ...plain, DEBUG: '', ...env } })
}

/** What a started command says until it ends. */
export function resultOf(child: ChildProcess): Promise<CliResult> {
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}

/** A folder of its own for a test file, and the command run inside it. */
export function cliInFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'hyperplane-cli-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const run = (...args: readonly string[]): Promise<CliResult> => resultOf(startCli(args, folder))
  return {
    folder,
    path: (name: string) => join(folder, name),
    run,
    /** Runs with an input on stdin. */
    feed(input: string, ...args: readonly string[]): Promise<CliResult> {
      const child = startCli(args, folder)
      child.stdin?.end(input)
      return resultOf(child)
    },
    /** Runs with `--json` and returns the one object printed; everything else must be silent. */
    async json(...args: readonly string[]) {
      const { code, stdout, stderr } = await run(...args, '--json')
      if (code !== 0 || stderr !== '') throw new Error(`exit code ${code}: ${stderr}`)
      return JSON.parse(stdout)
    },
  }
}
