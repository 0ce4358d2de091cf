// Installs the bundlers and runtimes of test/bundles/ that are too large to be development dependencies, and for test/data/
// DuckDB (70 MB) and nodejs-polars (115 MB, for Node 22 and later), into .hyperplane/bundlers.
// Continuous integration runs this; elsewhere their tests are skipped until somebody does.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const wanted = fileURLToPath(new URL('../test/bundles/package.json', import.meta.url))
const folder = fileURLToPath(new URL('../.hyperplane/bundlers/', import.meta.url))
/** Reports what is installed; written last. */
const stamp = `${folder}installed.json`

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== readFileSync(wanted, 'utf8')) {
  mkdirSync(folder, { recursive: true })
  copyFileSync(wanted, `${folder}package.json`)
  // No scripts: the packages of the runtimes hold their executables.
  const words = ['install', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts']
  const { status } = spawnSync('npm', words, { cwd: folder, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
  writeFileSync(stamp, readFileSync(wanted))
}
