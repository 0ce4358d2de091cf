/** Commands that write files, what they read, and what they must leave: the ground that kills and full disks are tried on. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { formatLibsvm } from '../../src/formats.ts'
import { generate } from '../../src/index.node.ts'
import { type CaseOptions, type TortureCase, tryCases } from './cases.ts'

const built = fileURLToPath(new URL('../../dist/cli/', import.meta.url))
const old = 'what was here before\n'

/** A command and its files, by their names in its own folder. */
export interface Scenario {
  readonly name: string
  /** The script in dist/cli/, and its words. */
  readonly command: readonly [script: string, ...words: string[]]
  readonly reads: readonly string[]
  /** Replaced as a whole. */
  readonly writes: readonly string[]
  /** Grow while the command works, and let it continue where it stopped. */
  readonly grows?: readonly string[]
  /** Whether what it prints goes into the first file of `writes`. */
  readonly prints?: boolean
}

const search = ['--C', '0.5,1,2,4,8,16', '--gamma', '0.25,0.5,1,2,4', '--folds', '4', '--threads', '2']
const hard = ['--C', '1000', '--gamma', '4', '--tol', '1e-6']
const kept = ['--checkpoint', 'state', '--checkpoint-every', '0.01']

/** Every command that keeps something. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'train',
    command: ['main', 'train', 'data', ...hard, '-o', 'model.json', '--trace', 'trace.csv'],
    reads: ['data'],
    writes: ['model.json', 'trace.csv'],
  },
  {
    name: 'train to LIBSVM’s format',
    command: ['main', 'train', 'data', '-o', 'a.model'],
    reads: ['data'],
    writes: ['a.model'],
  },
  {
    name: 'predict',
    command: ['main', 'predict', 'data', 'given.json', '--decision', '-o', 'labels'],
    reads: ['data', 'given.json'],
    writes: ['labels'],
  },
  {
    name: 'scale',
    command: ['main', 'scale', 'data', '--save-range', 'range', '-o', 'scaled'],
    reads: ['data'],
    writes: ['range', 'scaled'],
  },
  {
    name: 'scale on stdout',
    command: ['main', 'scale', 'data'],
    reads: ['data'],
    writes: ['printed'],
    prints: true,
  },
  {
    name: 'generate',
    command: ['main', 'generate', 'circles', '-n', '20000', '-o', 'circles.csv.gz'],
    reads: [],
    writes: ['circles.csv.gz'],
  },
  {
    name: 'tune',
    command: ['main', 'tune', 'data', ...search, '--journal', 'journal', '-o', 'best.json'],
    reads: ['data'],
    writes: ['best.json'],
    grows: ['journal'],
  },
  {
    name: 'path',
    command: ['main', 'path', 'data', '--C', '0.1,1,10', '--gamma', '1', '--html', 'path.html'],
    reads: ['data'],
    writes: ['path.html'],
  },
  {
    name: 'cv',
    command: ['main', 'cv', 'data', '--gamma', '1', '--html', 'cv.html'],
    reads: ['data'],
    writes: ['cv.html'],
  },
  ...[
    ['train', ...hard],
    ['train', '--type', 'nu-svc', '--probability', 'sigmoid'],
    ['train', '--type', 'linear-svc', '--C', '100'],
  ].map((words) => ({
    name: `${words.slice(0, 3).join(' ')} with a checkpoint`,
    command: ['main', words[0], 'data', ...words.slice(1), ...kept, '-o', 'model.json'] as const,
    reads: ['data'],
    writes: ['model.json'],
    grows: ['state'],
  })),
  ...[['path', '--C', '0.1,1,10'], ['cv']].map(([name, ...words]) => ({
    name: `${name} with a checkpoint`,
    command: ['main', name, 'data', ...words, '--gamma', '1', ...kept, '--html', 'page.html'] as const,
    reads: ['data'],
    writes: ['page.html'],
    grows: ['state'],
  })),
  {
    name: 'svm-train',
    command: ['svm-train', '-q', '-c', '100', 'data', 'b.model'],
    reads: ['data'],
    writes: ['b.model'],
  },
  {
    name: 'svm-predict',
    command: ['svm-predict', 'data', 'given.model', 'said'],
    reads: ['data', 'given.model'],
    writes: ['said'],
  },
  {
    name: 'svm-scale',
    command: ['svm-scale', '-s', 'svm.range', 'data'],
    reads: ['data'],
    writes: ['svm.range'],
  },
]

/** How a command ended. */
export interface Ending {
  readonly code: number | null
  readonly stderr: string
  readonly ms: number
}

/** What every case begins with, made once; and how each scenario ends when nothing disturbs it. */
export class Ground {
  private readonly folder = mkdtempSync(join(tmpdir(), 'hyperplane-torture-'))
  private readonly inputs = new Map<string, string>()
  private readonly undisturbed = new Map<
    Scenario,
    { readonly files: ReadonlyMap<string, string>; readonly ms: number }
  >()

  /** Trains the models that some scenarios read. */
  async prepare(): Promise<void> {
    const data = generate('moons', { n: 1200, noise: 0.25, seed: 11 })
    writeFileSync(join(this.folder, 'data'), formatLibsvm(data))
    for (const [script, ...words] of [
      ['main', 'train', 'data', '-o', 'given.json'],
      ['svm-train', '-q', 'data', 'given.model'],
    ]) {
      const { code, stderr } = await ended(start(this.folder, [script, ...words]))
      if (code !== 0) throw new Error(`${words.join(' ')}: ${stderr}`)
    }
    for (const name of readdirSync(this.folder)) this.inputs.set(name, hashOf(join(this.folder, name)))
  }

  /** A folder with the inputs of a scenario; `before` puts files of another content where it will write. */
  newPlace(scenario: Scenario, before: boolean): string {
    const place = mkdtempSync(join(this.folder, 'case-'))
    for (const name of scenario.reads) copyFileSync(join(this.folder, name), join(place, name))
    if (before) for (const name of scenario.writes) writeFileSync(join(place, name), old)
    return place
  }

  /** The files that a scenario writes, and how long it takes, when nothing disturbs it. */
  async reference(
    scenario: Scenario,
  ): Promise<{ readonly files: ReadonlyMap<string, string>; readonly ms: number }> {
    const known = this.undisturbed.get(scenario)
    if (known) return known
    const place = this.newPlace(scenario, false)
    const { code, stderr, ms } = await ended(start(place, scenario.command, scenario))
    if (code !== 0) throw new Error(`${scenario.name}: ${stderr}`)
    const files = new Map(scenario.writes.map((name) => [name, contentOf(join(place, name))]))
    rmSync(place, { recursive: true })
    const made = { files, ms }
    this.undisturbed.set(scenario, made)
    return made
  }

  /** What is wrong in a folder where a command did not end well: inputs changed, outputs that are neither old nor whole. */
  async damage(scenario: Scenario, place: string, before: boolean): Promise<string[]> {
    const { files } = await this.reference(scenario)
    const found: string[] = []
    for (const name of scenario.reads) {
      if (hashOf(join(place, name)) !== this.inputs.get(name)) found.push(`the input ${name} was changed`)
    }
    for (const name of scenario.prints ? [] : scenario.writes) {
      const path = join(place, name)
      if (!existsSync(path)) {
        if (before) found.push(`${name}, which was there before, is gone`)
        continue
      }
      const isOld = before && readFileSync(path, 'utf8') === old
      if (!isOld && contentOf(path) !== files.get(name)) found.push(`${name} is neither old nor whole`)
    }
    return found
  }

  /** Runs the command to its end, and says in what the result is not what it would have been undisturbed. */
  async finish(scenario: Scenario, place: string): Promise<string[]> {
    const { code, stderr } = await ended(start(place, scenario.command, scenario))
    if (code !== 0) return [`the next run failed: ${stderr.trim()}`]
    const found = await this.damage(scenario, place, false)
    found.push(...(await this.missing(scenario, place)))
    const known = [...scenario.reads, ...scenario.writes, ...(scenario.grows ?? [])]
    const left = readdirSync(place).filter((name) => !known.includes(name))
    if (left.length > 0) found.push(`left behind: ${left.join(', ')}`)
    return found
  }

  /** What is not as an undisturbed run writes it. */
  async missing(scenario: Scenario, place: string): Promise<string[]> {
    const { files } = await this.reference(scenario)
    return [...files]
      .filter(([name, content]) => contentOf(join(place, name)) !== content)
      .map(([name]) => `${name} is not as of an undisturbed run`)
  }

  /** Removes everything. */
  close(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Cases of {@link disturbCommands}. */
export interface DisturbOptions extends CaseOptions {
  /** The commands, in turn. Default all of them. */
  readonly among?: readonly Scenario[]
}

/** Commands in turn, each on the same ground; returns how much was found. */
export async function disturbCommands(
  section: string,
  { among = scenarios, ...options }: DisturbOptions,
  disturb: (ground: Ground, scenario: Scenario, one: TortureCase) => Promise<void>,
): Promise<number> {
  const ground = new Ground()
  try {
    await ground.prepare()
    const findings = await tryCases(section, options, (one) =>
      disturb(ground, among[one.index % among.length], one),
    )
    return findings.length
  } finally {
    ground.close()
  }
}

/** Starts a command of a scenario; `around` may put words before it, and variables into its environment. */
export function start(
  place: string,
  [script, ...words]: readonly string[],
  { prints = false, writes = [] }: Partial<Scenario> = {},
  around: { readonly shell?: string; readonly env?: Readonly<Record<string, string>> } = {},
): ChildProcess {
  const { shell = '', env = {} } = around
  const line = `${shell} exec "$@"${prints ? ` > ${writes[0]}` : ''}`
  return spawn('sh', ['-c', line, 'sh', execPath, `${built}${script}.js`, ...words], {
    cwd: place,
    env: { ...process.env, DEBUG: '', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

/** Waits until a command has ended. */
export function ended(child: ChildProcess): Promise<Ending> {
  const started = performance.now()
  let stderr = ''
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stderr, ms: performance.now() - started }))
  })
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

/** What must be the same each time: all but the time that it took. */
function contentOf(path: string): string {
  if (!existsSync(path)) return 'absent'
  if (/trace\.csv$/.test(path)) return readFileSync(path, 'utf8').replace(/^([^,]*),[^,]*/gm, '$1')
  if (/\.gz$/.test(path)) return hashOf(path)
  return readFileSync(path, 'utf8').replace(/"seconds":[^,}]*/g, '"seconds":0')
}
