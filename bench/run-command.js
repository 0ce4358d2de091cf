// Runs whole commands and says what they took: wall time, CPU time of all their threads, peak memory.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { cached } from './places.js'

/** GNU time asks the kernel what a process used, without costing anything itself. */
const gnuTime = '/usr/bin/time'

/** Settings of the caller's Node that add to the start of every command; others have none such. */
const { NODE_EXTRA_CA_CERTS: _certificates, NODE_OPTIONS: _options, ...environment } = process.env

/** Without GNU time, CPU time and memory are not known. */
export const measuresResources = () => existsSync(gnuTime)

/** A shell's way to end a process after so many seconds of CPU time, which is in whole seconds. */
const limitCpu = 'ulimit -t "$0" && exec "$@"'

/**
 * Runs a command to its end or to the time limit, of wall time and, where `cpuLimit` is given, of CPU time. The result has
 * `failure`, a few words, unless the command ended well. Its wall time is taken here: GNU time only knows hundredths of a
 * second.
 */
export function runCommand({ command, args, env = {}, cpuLimit }, timeLimit = Number.POSITIVE_INFINITY) {
  const figures = cached(`time-${process.pid}.txt`)
  const timed = measuresResources()
  const limited =
    cpuLimit === undefined ? [command] : ['/bin/sh', '-c', limitCpu, String(Math.ceil(cpuLimit)), command]
  const words = [...(timed ? [gnuTime, '-f', '%U %S %M', '-o', figures] : []), ...limited, ...args]
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn(words[0], words.slice(1), {
      // A group of its own, so that a command that takes too long ends together with its children.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...environment, OMP_NUM_THREADS: '1', ...env },
    })
    let timedOut = false
    const end = () => process.kill(-child.pid, 'SIGKILL')
    // GNU time lives on until it has said what the command took.
    const endTimed = () => {
      const started = timed ? childrenOf(child.pid) : []
      for (const pid of started) process.kill(pid, 'SIGKILL')
      if (started.length === 0) end()
    }
    const interrupt = () => {
      end()
      process.exit(130)
    }
    process.once('SIGINT', interrupt)
    const timer = Number.isFinite(timeLimit)
      ? setTimeout(() => {
          timedOut = true
          endTimed()
        }, timeLimit * 1000)
      : undefined
    const output = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (text) => {
        output[name] += text
      })
    }
    const cleanUp = () => {
      clearTimeout(timer)
      process.off('SIGINT', interrupt)
      rmSync(figures, { force: true })
    }
    child.on('error', (error) => {
      cleanUp()
      reject(error)
    })
    child.on('exit', () => {
      if (timedOut) endGroup(child.pid)
    })
    child.on('close', (status, signal) => {
      const seconds = (performance.now() - started) / 1000
      const resources = timed ? resourcesIn(figures) : {}
      cleanUp()
      // GNU time cuts both of its two times to hundredths.
      const tookCpu = status !== 0 && resources.cpuSeconds > cpuLimit - 0.02
      const reasons = [
        [timedOut, `longer than ${timeLimit} s`],
        [tookCpu, `longer than ${cpuLimit} s of CPU time`],
        [status !== 0, lastLine(output.stderr) || `ended by ${signal ?? status}`],
      ]
      const failure = reasons.find(([holds]) => holds)?.[1]
      resolve({ ...output, seconds, ...resources, ...(failure && { failure }) })
    })
  })
}

/** The processes that a process has started and that are still there. */
function childrenOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** Ends what is left of a group: children of a command that was ended, which may keep its pipes open. */
function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing is left.
  }
}

/** What GNU time wrote, if it had the time to; a line about the exit status may come first. */
function resourcesIn(path) {
  if (!existsSync(path)) return {}
  const [user, system, kilobytes] = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .at(-1)
    .split(' ')
    .map(Number)
  return { cpuSeconds: user + system, peakBytes: kilobytes * 1024 }
}

function lastLine(text) {
  return text.trim().split('\n').at(-1).slice(0, 120)
}

/**
 * Runs several commands alternately, so that a slow minute of the machine falls on all of them: `runs` times each, fewer
 * for one that has used up `budget` seconds, no more for one that failed. `entries` are `[name, run]`; the result has
 * a list of what `run` returned for each name.
 */
export async function interleave(entries, { runs, budget }) {
  const results = Object.fromEntries(entries.map(([name]) => [name, []]))
  const spent = Object.fromEntries(entries.map(([name]) => [name, 0]))
  for (let round = 0; round < runs; round++) {
    for (const [name, run] of entries) {
      if (spent[name] >= budget || results[name].at(-1)?.failure) continue
      const result = await run()
      spent[name] += result.seconds
      results[name].push(result)
    }
  }
  return results
}
