import { type ChildProcess, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect } from 'vitest'
import { type CliResult, resultOf } from '../suites/child-result.ts'

export { resultOf }

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/** Starts the built command; without colours, unless `env` says otherwise. */
export function startCli(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): ChildProcess {
  const { FORCE_COLOR: _, NO_COLOR: __, ...plain } = process.env
  return spawn(process.execPath, [main, ...args], { cwd, env: { ...plain, DEBUG: '', ...env } })
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

/** The commands that take the place of LIBSVM's and LIBLINEAR's, run in a folder; `done` expects that all went well. */
export function ourCommands<Command extends string>(cwd: string) {
  const ours = (command: Command, ...words: readonly string[]): SpawnSyncReturns<string> => {
    const script = fileURLToPath(new URL(`../../dist/cli/${command}.js`, import.meta.url))
    return spawnSync(process.execPath, [script, ...words], { cwd, encoding: 'utf8' })
  }
  const done = (command: Command, ...words: readonly string[]): string => {
    const { status, stdout, stderr } = ours(command, ...words)
    expect(stderr).toBe('')
    expect(status).toBe(0)
    return stdout
  }
  return { ours, done }
}
