// A queue on this machine: what a job costs beside its work, and how well 1, 2, 4 and 8 worker processes share a search.
//
//   node bench/scale.js [--data FILE] [--workers 1,2,4,8]       after npm run build; needs redis-server
//
// Costs are CPU times, which others on the machine do not change much; wall times are printed beside them. On a machine with fewer cores
// than workers, efficiency counts the cores. docs/scale.md uses the numbers.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { hyperplane as main } from './places.js'

const { values: flags } = parseArgs({
  options: {
    data: { type: 'string' },
    workers: { type: 'string' },
    port: { type: 'string' },
    help: { type: 'boolean' },
  },
})
if (flags.help) {
  console.log('node bench/scale.js [--data FILE] [--workers 1,2,4,8] [--port 6401]')
  process.exit(0)
}
const counts = (flags.workers ?? '1,2,4,8').split(',').map(Number)
const port = flags.port ?? '6401'
const url = `redis://127.0.0.1:${port}`
const folder = mkdtempSync(join(tmpdir(), 'hyperplane-scale-'))
const cores = availableParallelism()

/** Seconds of user and system time that a process has used: fields 14 and 15 of its stat. */
function cpuOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Runs a command to its end: what it printed, and its CPU and wall time. */
function run(args) {
  const started = performance.now()
  const { stdout, stderr, status } = spawnSync(
    '/usr/bin/time',
    ['-f', '%U %S', process.execPath, main, ...args],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  )
  if (status !== 0) throw new Error(stderr)
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number)
  return { stdout, cpu: user + system, wall: (performance.now() - started) / 1000 }
}

const redis = spawn('redis-server', ['--port', port, '--dir', folder, '--save', '', '--appendonly', 'yes'], {
  stdio: 'ignore',
})
const workers = []
try {
  run(['generate', 'moons', '-n', '40', '-o', 'small.libsvm'])
  const small = ['tune', 'small.libsvm', '--json', '--folds', '2', '--C', '1', '--log2g', '-10,9.9,0.1']
  const large = ['tune', flags.data ? resolve(flags.data) : 'large.libsvm', '--json']
  if (!flags.data) run(['generate', 'moons', '-n', '1500', '--noise', '0.35', '-o', 'large.libsvm'])
  else if (!existsSync(flags.data)) throw new Error(`${flags.data} is not there`)
  const places = ['--data', folder, ...(flags.data ? ['--data', dirname(resolve(flags.data))] : [])]
  const local = { small: run(small), large: run(large) }
  console.log(`${cores} cores; local: small ${words(local.small)}, large ${words(local.large)}`)
  for (const count of counts) {
    while (workers.length < count) {
      const args = ['worker', '--queue', url, '--threads', '1', ...places]
      workers.push(spawn(process.execPath, [main, ...args], { stdio: 'ignore', cwd: folder }))
    }
    while (JSON.parse(run(['queue', url, 'status', '--json']).stdout).workers.length < count)
      await setTimeout(200)
    // Threads start, and read the data, with the first jobs.
    run([...small, '--queue', url])
    // Workers say what they have done every five seconds: those jobs are not to be counted below.
    await setTimeout(5500)
    for (const [name, args] of Object.entries({ small, large })) {
      const cpu = () => workers.reduce((sum, { pid }) => sum + cpuOf(pid), 0)
      const status = () => JSON.parse(run(['queue', url, 'status', '--json']).stdout).workers
      const jobs = (list) => list.reduce((sum, { done }) => sum + done, 0)
      const before = { cpu: cpu(), redis: cpuOf(redis.pid), jobs: jobs(status()) }
      const { wall, cpu: coordinator } = run([...args, '--queue', url])
      // Workers say what they have done every five seconds.
      await setTimeout(5500)
      const done = jobs(status()) - before.jobs
      const own = cpu() - before.cpu
      const ideal = local[name].cpu / Math.min(count, cores)
      console.log(
        [
          `${count} workers, ${name}: ${done} jobs, wall ${wall.toFixed(2)} s`,
          `CPU of workers ${own.toFixed(2)} s, coordinator ${coordinator.toFixed(2)} s, Redis ${(cpuOf(redis.pid) - before.redis).toFixed(2)} s`,
          `beside the local work ${((1000 * (own + coordinator - local[name].cpu)) / done).toFixed(1)} ms per job`,
          `${((100 * ideal) / wall).toFixed(0)} % of the ideal`,
        ].join('; '),
      )
    }
  }
} finally {
  for (const { pid } of workers) process.kill(pid, 'SIGKILL')
  redis.kill('SIGKILL')
  await setTimeout(200)
  rmSync(folder, { recursive: true, force: true })
}

function words({ cpu, wall }) {
  return `${cpu.toFixed(2)} s of CPU in ${wall.toFixed(2)} s`
}
