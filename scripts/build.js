// Builds the package into dist/: AssemblyScript to WebAssembly (kept as text in src/compute/engine-binaries.ts, so
// that Node, browsers and bundlers load it alike), TypeScript to ESM and declarations; marks the commands executable.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const builds = {
  relaxed: ['--enable', 'simd', '--enable', 'relaxed-simd'],
  simd: ['--enable', 'simd'],
  scalar: ['--disable', 'simd'],
}

buildEngine()
rmSync(`${root}dist`, { recursive: true, force: true })
run('typescript/bin/tsc', ['-p', `${root}tsconfig.build.json`])
const { bin } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
for (const command of Object.values(bin)) chmodSync(`${root}${command}`, 0o755)

function buildEngine() {
  const folder = `${root}.hyperplane/`
  mkdirSync(folder, { recursive: true })
  const lines = Object.entries(builds).map(([name, features]) => {
    const file = `${folder}${name}.wasm`
    const memory = ['--importMemory', '--sharedMemory', '--initialMemory', '1', '--maximumMemory', '65536']
    const plain = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'threads']
    run('assemblyscript/bin/asc.js', [
      `${root}assembly/index.ts`,
      '-o',
      file,
      ...plain,
      ...memory,
      ...features,
    ])
    return `  ${name}: '${readFileSync(file).toString('base64')}',`
  })
  const text = [
    '// Made by scripts/build.js from assembly/; not kept in the repository.',
    '/** The WebAssembly builds as base64. */',
    'export const binaries = {',
    ...lines,
    '}',
    '',
  ].join('\n')
  const target = `${root}src/compute/engine-binaries.ts`
  writeFileSync(target, text)
}

function run(script, parameters) {
  const { status } = spawnSync(process.execPath, [`${root}node_modules/${script}`, ...parameters], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}
