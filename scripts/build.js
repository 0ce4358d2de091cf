// Builds the package into dist/: TypeScript to ESM and declarations, and marks the commands as executable.
import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
rmSync(`${root}dist`, { recursive: true, force: true })
const tsc = spawnSync(
  process.execPath,
  [`${root}node_modules/typescript/bin/tsc`, '-p', `${root}tsconfig.build.json`],
  {
    stdio: 'inherit',
  },
)
if (tsc.status !== 0) process.exit(tsc.status ?? 1)
const { bin } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
for (const command of Object.values(bin)) chmodSync(`${root}${command}`, 0o755)
