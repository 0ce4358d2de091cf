import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/**
 * Whether all commands of a Debian package are there. Where they are not, tests against them are skipped, and it is said
 * aloud; a build server must have them.
 */
export function toolsInstalled(debianPackage: string, commands: readonly string[]): boolean {
  const missing = commands.filter((command) => spawnSync(command).error !== undefined)
  if (missing.length === 0) return true
  const message = `${missing.join(' and ')} not installed (Debian: ${debianPackage})`
  if (process.env.CI === 'true') throw new Error(message)
  console.warn(`SKIPPED: ${message}`)
  return false
}

/** A folder of its own for files that commands read and write, gone after the tests. */
export function toolFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'hyperplane-tools-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const path = (name: string) => join(folder, name)
  return {
    path,
    write: (name: string, text: string) => writeFileSync(path(name), text),
    read: (name: string) => readFileSync(path(name), 'utf8'),
    /** Runs a command whose arguments are file names here where they are not options. */
    run: (command: string, options: readonly string[], ...files: readonly string[]) =>
      execFileSync(command, [...options, ...files.map(path)], { stdio: 'pipe' }).toString(),
  }
}
