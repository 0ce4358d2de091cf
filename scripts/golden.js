// Makes all golden files again: builds the package, then runs every scripts/golden-*.py.
// They need Debian's python3-sklearn, libsvm-tools and liblinear-tools; PYTHON names another interpreter.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { env, execPath, exit } from 'node:process'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const python = env.PYTHON ?? '/usr/bin/python3'
const generators = readdirSync(folder).filter((name) => /^golden-.*\.py$/.test(name))

function run(command, script) {
  console.log(script)
  const { status, error } = spawnSync(command, [`${folder}${script}`], { stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) exit(status ?? 1)
}

run(execPath, 'build.js')
for (const script of generators.sort()) run(python, script)
