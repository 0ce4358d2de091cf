// Finds the peers on this machine, and installs Debian's packages where that is possible. What is missing is said.
import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'

const require = createRequire(import.meta.url)
const python = process.env.PYTHON ?? '/usr/bin/python3'

/**
 * The peers that are there: `libsvm` (folder, version, openMp), `sklearn` (python, version), `libsvmJs` and `mlSvm`
 * (version); `missing` has a line for each one that is not.
 */
export function findPeers({ install = true, libsvmFolder } = {}) {
  if (install) installPackages(libsvmFolder)
  const peers = { libsvm: findLibsvm(libsvmFolder), sklearn: findSklearn() }
  peers.libsvmJs = npmVersion('libsvm-js')
  peers.mlSvm = npmVersion('ml-svm')
  const sources = {
    libsvm: "LIBSVM: apt-get install libsvm-tools, or --libsvm with the folder of a build of one's own",
    sklearn: 'scikit-learn: apt-get install python3-sklearn, or PYTHON with another interpreter',
    libsvmJs: 'libsvm-js: npm ci',
    mlSvm: 'ml-svm: npm ci',
  }
  const missing = Object.keys(sources).filter((name) => !peers[name])
  return { ...peers, missing: missing.map((name) => sources[name]) }
}

function installPackages(libsvmFolder) {
  const wanted = [
    ...(libsvmFolder || findLibsvm() ? [] : ['libsvm-tools']),
    ...(findSklearn() ? [] : ['python3-sklearn']),
    ...(existsSync('/usr/bin/time') ? [] : ['time']),
  ]
  if (wanted.length === 0 || process.getuid?.() !== 0 || !inPath('apt-get')) return
  console.log(`installing ${wanted.join(', ')}`)
  const { status, stderr } = spawnSync('apt-get', ['install', '-y', '-q', ...wanted], {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (status !== 0) console.warn(`that failed: ${(stderr ?? '').trim().split('\n').at(-1)}`)
}

function inPath(command) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.find((folder) => existsSync(join(folder, command)))
}

function findLibsvm(given) {
  const folder = given ?? inPath('svm-train')
  if (!folder || !existsSync(join(folder, 'svm-train')) || !existsSync(join(folder, 'svm-predict')))
    return undefined
  const { stdout } = spawnSync('ldd', [realpathSync(join(folder, 'svm-train'))], { encoding: 'utf8' })
  const version = given ? 'own build' : debianVersion('libsvm-tools')
  return { folder, version, openMp: /lib(g|i)?omp/.test(stdout ?? '') }
}

function debianVersion(name) {
  const { status, stdout } = spawnSync('dpkg-query', ['-W', '-f', `\${Version}`, name], { encoding: 'utf8' })
  return status === 0 ? `${stdout} (Debian)` : 'unknown version'
}

function findSklearn() {
  const { status, stdout } = spawnSync(python, ['-c', 'import sklearn; print(sklearn.__version__)'], {
    encoding: 'utf8',
  })
  return status === 0 ? { python, version: stdout.trim() } : undefined
}

function npmVersion(name) {
  try {
    return { version: require(`${name}/package.json`).version }
  } catch {
    return undefined
  }
}
