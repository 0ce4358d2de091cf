/** The machines of the campaign by Debian's svm-train and liblinear-train and by scikit-learn. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Points } from './true-expansion.ts'
import { type Machine, measureTruly, primalOfWeights, type SingleMachine } from './true-measures.ts'

/** What a peer made of a machine. */
export interface PeerResult {
  readonly seconds: number
  /** The value that its method decreases, and by how much what it prints may be off. */
  readonly value?: number
  readonly error?: number
  /** Why there is no value. */
  readonly without?: string
}

/** One of the three. */
export interface Peer {
  readonly name: string
  /** The value that is compared. */
  compares(machine: Machine): 'dual' | 'primal'
  knows(machine: Machine): boolean
  solve(machine: Machine, task: PeerTask): Promise<PeerResult>
  end(): void
}

/** Settings of a peer's run. */
export interface PeerTask {
  readonly tol: number
  /** Seconds after which it is given up. */
  readonly patience: number
}

const python = env.PYTHON ?? '/usr/bin/python3'

/** The peers on this machine, and what is missing of them. */
export function findPeers(): { readonly peers: readonly Peer[]; readonly missing: readonly string[] } {
  const there = (command: string, args: readonly string[] = []) => !spawnSync(command, args).error
  const sklearn = spawnSync(python, ['-c', 'import sklearn.svm']).status === 0
  const found = { 'svm-train': there('svm-train'), 'liblinear-train': there('liblinear-train'), sklearn }
  const packages = {
    'svm-train': 'libsvm-tools',
    'liblinear-train': 'liblinear-tools',
    sklearn: 'python3-sklearn',
  }
  const names = Object.keys(found) as (keyof typeof found)[]
  const makers = { 'svm-train': svmTrain, 'liblinear-train': liblinearTrain, sklearn: scikitLearn }
  return {
    peers: names.filter((name) => found[name]).map((name) => makers[name]()),
    missing: names.filter((name) => !found[name]).map((name) => `${name} (Debian: ${packages[name]})`),
  }
}

function isLinearMachine(machine: Machine): boolean {
  return machine.task === 'crammer-singer' || machine.bias !== 'free'
}

const libsvmTypes = { svc: 0, 'nu-svc': 1, 'one-class': 2, svr: 3, 'nu-svr': 4 } as const
const libsvmKernels = { linear: 0, polynomial: 1, rbf: 2, sigmoid: 3 } as const

function svmTrain(): Peer {
  return {
    name: 'svm-train',
    compares: () => 'dual',
    knows: (machine) => !isLinearMachine(machine) && hasClassWeightsOnly(machine),
    async solve(given, { tol, patience }) {
      const machine = given as SingleMachine
      const { task, kernel, nu, epsilon, bounds, y, points } = machine
      const flags = ['-s', libsvmTypes[task], '-t', libsvmKernels[kernel.kind], '-e', tol, '-m', 200]
      if ('gamma' in kernel) flags.push('-g', kernel.gamma)
      if ('coef0' in kernel) flags.push('-r', kernel.coef0)
      if ('degree' in kernel) flags.push('-d', kernel.degree)
      if (nu > 0) flags.push('-n', nu)
      if (task === 'svr') flags.push('-p', epsilon)
      if (task === 'svr' || task === 'nu-svr') flags.push('-c', bounds[0])
      if (task === 'svc') flags.push(...classWeightFlags(machine))
      const run = await train('svm-train', flags, points, y, patience)
      if (run.without !== undefined) return run
      // ν-SVC divides by the margin r at the end: Σ|coefficients| was ν n before.
      const r = task === 'nu-svc' ? (nu * points.rows) / sumOfCoefficients(run.model) : 1
      const value = Number(/obj = (\S+), rho/.exec(run.output)?.[1]) * r * r
      if (!Number.isFinite(value)) return { seconds: run.seconds, without: 'no finite value' }
      return { seconds: run.seconds, value, error: 5e-7 * r * r }
    },
    end() {},
  }
}

function hasClassWeightsOnly(machine: Machine): boolean {
  if (machine.task !== 'svc' && machine.task !== 'crammer-singer') {
    return machine.bounds.every((bound) => bound === machine.bounds[0])
  }
  const first = new Map<number, number>()
  return machine.bounds.every((bound, i) => {
    if (!first.has(machine.y[i])) first.set(machine.y[i], bound)
    return first.get(machine.y[i]) === bound
  })
}

function classWeightFlags({ y, bounds }: Machine): (string | number)[] {
  const flags: (string | number)[] = ['-c', 1]
  for (const label of new Set(y)) flags.push(`-w${label}`, bounds[y.indexOf(label)])
  return flags
}

function sumOfCoefficients(model: string): number {
  const lines = model.split('\n')
  let sum = 0
  for (const line of lines.slice(lines.indexOf('SV') + 1)) {
    if (line !== '') sum += Math.abs(Number(line.slice(0, line.indexOf(' '))))
  }
  return sum
}

function liblinearTrain(): Peer {
  return {
    name: 'liblinear-train',
    compares: () => 'primal',
    knows: (machine) => isLinearMachine(machine) && hasClassWeightsOnly(machine),
    async solve(machine, { tol, patience }) {
      const classes = machine.task === 'crammer-singer'
      const constant = classes ? machine.constant : machine.bias === 'none' ? 0 : machine.scaling
      const regression = machine.task === 'svr'
      const solver = classes ? 4 : regression ? (machine.squared ? 12 : 13) : machine.squared ? 1 : 3
      const flags = ['-s', solver, '-e', tol, '-B', constant > 0 ? constant : -1]
      if (regression) flags.push('-p', machine.epsilon, '-c', machine.bounds[0])
      else flags.push(...classWeightFlags(machine))
      const run = await train('liblinear-train', flags, machine.points, machine.y, patience)
      if (run.without !== undefined) return run
      const { coef, biases } = liblinearWeights(run.model, machine, constant)
      return { seconds: run.seconds, value: primalOfWeights(machine, coef, biases), error: 0 }
    },
    end() {},
  }
}

function liblinearWeights(model: string, machine: Machine, constant: number) {
  const { cols } = machine.points
  const lines = model.split('\n')
  const rows = lines.slice(lines.indexOf('w') + 1).filter((line) => line !== '')
  const label = lines.find((line) => line.startsWith('label '))
  const own = rows.map((line) => line.trim().split(' ').map(Number))
  // Functions in the order of the labels as they came in the file.
  const order = label ? label.trim().split(' ').slice(1).map(Number) : [0]
  const functions = machine.task === 'crammer-singer' ? machine.classes : 1
  const coef = new Float64Array(functions * cols)
  const biases = new Float64Array(functions)
  for (let m = 0; m < functions; m++) {
    // Two classes have one function, of the first label; Crammer and Singer's machine for two has two.
    const at = functions === 1 ? 0 : order.indexOf(m)
    const sign = machine.task === 'svc' && order[0] !== 1 ? -1 : 1
    for (let k = 0; k < cols; k++) coef[m * cols + k] = sign * own[k][at]
    if (constant > 0) biases[m] = sign * constant * own[cols][at]
  }
  return { coef, biases }
}

interface TrainRun {
  readonly seconds: number
  readonly output: string
  readonly model: string
  readonly without?: string
}

/** Runs one of the two commands on a file. */
async function train(
  command: string,
  flags: readonly (string | number)[],
  points: Points,
  labels: ArrayLike<number>,
  patience: number,
): Promise<TrainRun> {
  const folder = mkdtempSync(join(tmpdir(), 'torture-'))
  try {
    const data = join(folder, 'data')
    const model = join(folder, 'model')
    writeFileSync(data, libsvmText(points, labels))
    const started = performance.now()
    // Seconds of the processor: a machine that is busy with other things gives up nothing sooner.
    const words = [
      '-c',
      `ulimit -t ${patience} && exec "$0" "$@"`,
      command,
      ...flags.map(String),
      data,
      model,
    ]
    const child = spawn('sh', words, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        output += text
      })
    }
    const ended = await endOf(child, patience)
    const seconds = (performance.now() - started) / 1000
    if (ended !== undefined) return { seconds, output, model: '', without: ended }
    if (/reaching max/.test(output)) return { seconds, output, model: '', without: 'iteration limit' }
    return { seconds, output, model: readFileSync(model, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Seconds by the clock after which a process that uses no processor time is given up. */
const MOST_WAIT = 120

/** How a process ended, if not well. */
function endOf(child: ChildProcess, patience: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), 1000 * MOST_WAIT)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      resolve(signal ? `given up after ${patience} s` : code === 0 ? undefined : `exit code ${code}`)
    })
  })
}

function libsvmText({ rows, cols, values }: Points, labels: ArrayLike<number>): string {
  const lines: string[] = []
  for (let i = 0; i < rows; i++) {
    let line = `${labels[i]}`
    for (let k = 0; k < cols; k++) {
      const value = values[i * cols + k]
      // The last feature always, so that both sides count as many.
      if (value !== 0 || k === cols - 1) line += ` ${k + 1}:${value}`
    }
    lines.push(line)
  }
  return `${lines.join('\n')}\n`
}

const sklearnNames = {
  svc: 'SVC',
  'nu-svc': 'NuSVC',
  'one-class': 'OneClassSVM',
  svr: 'SVR',
  'nu-svr': 'NuSVR',
} as const
const sklearnKernels = { linear: 'linear', polynomial: 'poly', rbf: 'rbf', sigmoid: 'sigmoid' } as const

function scikitLearn(): Peer {
  const server = new SklearnServer()
  return {
    name: 'scikit-learn',
    compares: (machine) => (isLinearMachine(machine) ? 'primal' : 'dual'),
    // Whether Crammer and Singer's machine converged cannot be told: version 1.2.1 reads it from memory never set.
    knows: (machine) => machine.task !== 'crammer-singer' && hasClassWeightsOnly(machine),
    async solve(machine, { tol, patience }) {
      const { points, bounds, y } = machine
      const weighted = !('nu' in machine && machine.nu > 0)
      const answer = await server.ask(
        {
          rows: Array.from(points.values),
          shape: [points.rows, points.cols],
          labels: Array.from(y),
          ...(weighted && { weights: Array.from(bounds) }),
          ...sklearnEstimator(machine, tol),
        },
        patience,
      )
      if ('without' in answer) return { seconds: patience, without: answer.without }
      if (answer.epochs === mostEpochs) return { seconds: answer.seconds, without: 'iteration limit' }
      if (answer.weights) {
        const coef = Float64Array.from(answer.weights)
        const value = primalOfWeights(machine, coef, answer.biases as number[])
        return { seconds: answer.seconds, value, error: 0 }
      }
      return { seconds: answer.seconds, ...dualOfSupport(machine as SingleMachine, answer) }
    },
    end: () => server.end(),
  }
}

function sklearnEstimator(machine: Machine, tol: number): object {
  if (machine.task === 'crammer-singer') return {}
  const { task, kernel, nu, epsilon, bounds, squared, scaling, bias } = machine
  if (bias !== 'free') {
    const own =
      task === 'svc'
        ? { loss: squared ? 'squared_hinge' : 'hinge' }
        : { loss: `${squared ? 'squared_' : ''}epsilon_insensitive`, epsilon }
    const parameters = {
      C: 1,
      tol,
      fit_intercept: bias === 'regularised',
      intercept_scaling: scaling,
      max_iter: mostEpochs,
      random_state: 0,
      ...own,
    }
    return { estimator: task === 'svc' ? 'LinearSVC' : 'LinearSVR', parameters }
  }
  const parameters = {
    kernel: sklearnKernels[kernel.kind],
    tol,
    ...('gamma' in kernel && { gamma: kernel.gamma }),
    ...('coef0' in kernel && { coef0: kernel.coef0 }),
    ...('degree' in kernel && { degree: kernel.degree }),
    ...((task === 'svc' || task === 'svr') && { C: 1 }),
    ...(task === 'nu-svr' && { C: bounds[0] }),
    ...(nu > 0 && { nu }),
    ...(task === 'svr' && { epsilon }),
  }
  return { estimator: sklearnNames[task], parameters }
}

/** The dual value of coefficients, by the naive loops. */
function dualOfSupport(machine: SingleMachine, answer: Answer): { value: number; error: number } {
  const { task, points, nu, bounds, y } = machine
  const coefficients = answer.coefficients as number[]
  const support = answer.support as number[]
  const signed = new Float64Array(task === 'nu-svr' ? 2 * points.rows : points.rows)
  const r = task === 'nu-svc' ? (nu * points.rows) / coefficients.reduce((sum, c) => sum + Math.abs(c), 0) : 1
  support.forEach((i, s) => {
    const c = r * coefficients[s]
    if (task === 'svc' || task === 'nu-svc') signed[i] = c * y[i]
    else if (task === 'nu-svr') signed[c > 0 ? i : i + points.rows] = c
    else signed[i] = c
  })
  const clipped = task === 'one-class' ? signed.map((a, i) => Math.min(a, bounds[i])) : signed
  const { dual } = measureTruly(machine, { alpha: clipped, bias: 0, width: 0 })
  return dual
}

/** Epochs of scikit-learn's linear machines. */
const mostEpochs = 10_000

interface Answer {
  readonly seconds: number
  readonly epochs?: number
  readonly support?: readonly number[]
  readonly coefficients?: readonly number[]
  readonly weights?: readonly number[]
  readonly biases?: readonly number[]
}

/** A Python process that fits one problem a line; a new one after it had to be given up. */
class SklearnServer {
  private child: ChildProcess | undefined
  private lines: Interface | undefined

  async ask(problem: object, patience: number): Promise<Answer | { readonly without: string }> {
    if (!this.child) await this.start()
    const child = this.child as ChildProcess
    const answer = this.nextLine()
    child.stdin?.write(`${JSON.stringify({ ...problem, patience })}\n`)
    const timer = setTimeout(() => this.end(), 1000 * MOST_WAIT)
    const line = await answer
    clearTimeout(timer)
    if (line === undefined) {
      this.end()
      return { without: `given up after ${patience} s` }
    }
    const { error, ...found } = JSON.parse(line)
    return error === undefined ? found : { without: error }
  }

  end(): void {
    this.child?.kill('SIGKILL')
    this.child = undefined
  }

  private async start(): Promise<void> {
    const script = fileURLToPath(new URL('./sklearn-server.py', import.meta.url))
    this.child = spawn(python, [script], { stdio: ['pipe', 'pipe', 'ignore'] })
    this.lines = createInterface({ input: this.child.stdout as NodeJS.ReadableStream })
    await this.nextLine()
  }

  /** The next line, or nothing when the process has ended. */
  private nextLine(): Promise<string | undefined> {
    const lines = this.lines as Interface
    return new Promise((resolve) => {
      const closed = () => done()
      const done = (line?: string) => {
        lines.off('line', done)
        lines.off('close', closed)
        resolve(line)
      }
      lines.once('line', done)
      lines.once('close', closed)
    })
  }
}
