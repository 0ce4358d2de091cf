// What the results were measured on: enough to interpret them, nothing that names the machine.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, cpus, loadavg, platform, totalmem } from 'node:os'

const { version } = createRequire(import.meta.url)('../package.json')

/** Processor, cores, memory and system. */
export function describeMachine() {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  return {
    cpu: cpus()[0].model.trim(),
    cores: cpus().length,
    memoryGigabytes: Math.round(totalmem() / 1e9),
    system: `${/^PRETTY_NAME="?([^"\n]*)/m.exec(release)?.[1] ?? platform()} ${arch()}`,
  }
}

/** Versions of everything that took part. */
export function versionsOf({ libsvm, sklearn, libsvmJs, mlSvm }) {
  const commit = commitOf()
  return {
    hyperplane: commit ? `${version} (${commit})` : version,
    node: process.version,
    ...(libsvm && { libsvm: `${libsvm.version}${libsvm.openMp ? ', OpenMP' : ', one thread'}` }),
    ...(sklearn && { sklearn: sklearn.version }),
    ...(libsvmJs && { 'libsvm-js': libsvmJs.version }),
    ...(mlSvm && { 'ml-svm': mlSvm.version }),
  }
}

/** How many processes wanted a core in the last minute. */
export const load = () => loadavg()[0]

function commitOf() {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: new URL('..', import.meta.url),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return undefined
  }
}
