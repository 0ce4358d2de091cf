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

/**
 * Runs a command to its end or to the time limit. The result has `failure`, a few words, unless the command ended
 * well. Its wall time is taken here: GNU time only knows hundredths of a second.
 */
export function runCommand({ command, args, env = {} }, timeLimit = Number.POSITIVE_INFINITY) {
  const figures = cached(`time-${process.pid}.txt`)
  const timed = measuresResources()
  const words = timed ? [gnuTime, '-f', '%U %S %M', '-o', figures, command, ...args] : [command, ...args]
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
    const interrupt = () => {
      end()
      process.exit(130)
    }
    process.once('SIGINT', interrupt)
    const timer = Number.isFinite(timeLimit)
      ? setTimeout(() => {
          timedOut = true
          end()
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
    child.on('close', (status, signal) => {
      const seconds = (performance.now() - started) / 1000
      const resources = timed && !timedOut ? resourcesIn(figures) : {}
      cleanUp()
      const failed = timedOut || status !== 0
      resolve({
        ...output,
        seconds,
        ...resources,
        ...(failed && {
          failure: timedOut
            ? `longer than ${timeLimit} s`
            : lastLine(output.stderr) || `ended by ${signal ?? status}`,
        }),
      })
    })
  })
}

/** What GNU time wrote; a line about the exit status may come first. */
function resourcesIn(path) {
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
 * Runs several commands by turns, so that a slow minute of the machine falls on all of them: `runs` times each, fewer
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
