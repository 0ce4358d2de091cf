/** Packages that scripts/install-bundlers.js installs, because they are too large for every clone. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { repository } from './architecture/module-graph.ts'

/** What requires such packages. */
const tools = join(repository, '.hyperplane/bundlers/package.json')

/** Such a package, or undefined, loudly, where it is not installed. With CI=true it must be, from this version of Node on. */
export function installedTool<T>(name: string, leastNode = 20): T | undefined {
  try {
    return createRequire(tools)(name)
  } catch (error) {
    const mustBe = process.env.CI === 'true' && Number(process.versions.node.split('.')[0]) >= leastNode
    if (mustBe) throw error
    const how = existsSync(tools) ? (error as Error).message : 'node scripts/install-bundlers.js installs it'
    console.warn(`skipped: ${name}; ${how}`)
    return undefined
  }
}

/** The part of @duckdb/node-api that tests use. */
export interface DuckDb {
  readonly DuckDBInstance: {
    create(path: string): Promise<{ connect(): Promise<DuckDbConnection> }>
  }
}

/** Of a database in memory. */
export interface DuckDbConnection {
  run(sql: string): Promise<unknown>
  runAndReadAll(sql: string): Promise<{
    getRowObjects(): object[]
    getRowObjectsJS(): object[]
    getColumnsObject(): object
  }>
  stream(sql: string): Promise<{ yieldRowObjectJs(): AsyncIterable<object[]> }>
  closeSync(): void
}
