/**
 * Scores kept in a file as they come, so that work goes on where it stopped. The file is JSON lines, appended to and never
 * rewritten:
 *
 *   {"format":"hyperplane-journal","version":1,"job":{…},"scoring":"accuracy","sum":"…"}
 *   {"job":"…","params":{"C":1,"gamma":0.5},"fold":0,"score":0.97,"seconds":0.01,"sum":"…"}
 *
 * `job` of the first line says what was asked (data by hash, estimator, folds); `job` of the others is its key. `sum` is
 * the start of the SHA-256 of the line without it. A last line that was cut off in the middle (the process was killed
 * while it wrote) is dropped; any other defect is an error. Each line is handed to the system at once, which keeps it when
 * the process dies; it is forced to the disk (fsync) once a second and at the end, so that a power failure costs a second.
 */
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { DataError, FormatError } from '../base/errors.ts'
import { canonicalJson } from './canonical-json.ts'
import type { Params } from './estimator-params.ts'
import type { ResultStore, UnitScore } from './evaluate-cells.ts'
import { jobKey, type TuningJob } from './tuning-job.ts'

const FSYNC_MS = 1000
const SUM_LENGTH = 16

/** What the first line says was asked. */
type Asked = Pick<TuningJob, 'data' | 'estimator' | 'folds'>

const PARTS: Readonly<Record<keyof Asked | 'scoring', string>> = {
  data: 'other data',
  estimator: 'another estimator, or other options of it',
  folds: 'other folds',
  scoring: 'another score',
}

/** A journal that is open for one job. */
export class Journal implements ResultStore {
  /** Scores that were there when it was opened. */
  readonly known: number
  private readonly scores = new Map<string, UnitScore>()
  private readonly file: number
  private readonly key: string
  private synced = performance.now()

  private constructor(path: string, file: number, job: TuningJob, scoring: string, key: string) {
    this.file = file
    this.key = key
    const { data, estimator, folds } = job
    const head = { format: 'hyperplane-journal', version: 1, job: { data, estimator, folds }, scoring }
    const text = readFileSync(file, 'utf8')
    const end = text.lastIndexOf('\n') + 1
    if (end === 0 && !sealed(head).startsWith(text)) throw notAJournal(path)
    const lines = text.slice(0, end).split('\n').slice(0, -1)
    const good = this.readAll(path, lines, head)
    const bytes = Buffer.byteLength(good.map((line) => `${line}\n`).join(''))
    // Only what was cut off, or has no sense as a whole, may stand after the last good line.
    if (fstatSync(file).size > bytes) ftruncateSync(file, bytes)
    if (good.length === 0) this.append(head)
    this.known = this.scores.size
  }

  /**
   * Opens the journal of a job at `path`, or begins one. Throws when the file is the journal of another job, with what
   * differs, or no journal at all; it is left as it is then.
   */
  static async open(path: string, job: TuningJob, scoring: string): Promise<Journal> {
    const key = await jobKey(job, scoring)
    const file = openSync(path, 'a+')
    try {
      return new Journal(path, file, job, scoring, key)
    } catch (error) {
      closeSync(file)
      throw error
    }
  }

  get(params: Params, fold: number): UnitScore | undefined {
    return this.scores.get(unitKey(params, fold))
  }

  add(params: Params, fold: number, { score, seconds }: UnitScore): void {
    this.scores.set(unitKey(params, fold), { score, seconds })
    this.append({ job: this.key, params, fold, score, seconds })
  }

  /** Forces everything to the disk and closes the file. */
  close(): void {
    fsyncSync(this.file)
    closeSync(this.file)
  }

  private append(entry: object): void {
    writeSync(this.file, `${sealed(entry)}\n`)
    if (performance.now() - this.synced < FSYNC_MS) return
    fsyncSync(this.file)
    this.synced = performance.now()
  }

  /** Takes in the lines; returns those that stay: all but, perhaps, a broken last one. */
  private readAll(
    path: string,
    lines: readonly string[],
    head: object & { job: Asked; scoring: string },
  ): string[] {
    const good: string[] = []
    for (const [k, line] of lines.entries()) {
      const entry = unsealed(line)
      if (entry === undefined) {
        if (k > 0 && k === lines.length - 1) break
        if (k === 0) throw notAJournal(path)
        throw new FormatError('this line of the journal is damaged; delete the file to begin again', {
          file: path,
          line: k + 1,
        })
      }
      if (k === 0) checkHead(path, entry, head)
      else this.take(path, k + 1, entry)
      good.push(line)
    }
    return good
  }

  private take(path: string, line: number, entry: Readonly<Record<string, unknown>>): void {
    const { job, params, fold, score, seconds } = entry
    if (job !== this.key || typeof params !== 'object' || typeof fold !== 'number') {
      throw new FormatError('this line is not of this journal', { file: path, line })
    }
    this.scores.set(unitKey(params as Params, fold), {
      score: Number(score ?? Number.NaN),
      seconds: Number(seconds),
    })
  }
}

function checkHead(
  path: string,
  found: Readonly<Record<string, unknown>>,
  head: { job: Asked; scoring: string },
): void {
  if (found.format !== 'hyperplane-journal') throw notAJournal(path)
  if (found.version !== 1) {
    throw new DataError(`${path}: a journal of version ${found.version}; this program knows version 1`)
  }
  const before = { ...(found.job as Asked), scoring: found.scoring }
  const now = { ...head.job, scoring: head.scoring }
  const differing = (Object.keys(PARTS) as (keyof typeof PARTS)[]).filter(
    (part) => canonicalJson(before[part]) !== canonicalJson(now[part]),
  )
  if (differing.length === 0) return
  const words = differing.map((part) => PARTS[part]).join(', ')
  throw new DataError(
    `${path}: this journal was begun with ${words}; use another file, or delete it to begin again`,
  )
}

function notAJournal(path: string): DataError {
  return new DataError(`${path}: this file is not a journal of Hyperplane's; it is left as it is`)
}

function unitKey(params: Params, fold: number): string {
  return `${fold} ${canonicalJson(params)}`
}

/** A line: the entry as JSON, numbers that JSON lacks as words, and the sum of it. */
function sealed(entry: object): string {
  const text = canonicalJson(entry)
  return `${text.slice(0, -1)},"sum":"${sumOf(text)}"}`
}

/** The entry of a line; undefined where the sum does not fit. */
function unsealed(line: string): Readonly<Record<string, unknown>> | undefined {
  const match = /^(\{.*),"sum":"([0-9a-f]+)"\}$/.exec(line)
  if (!match || sumOf(`${match[1]}}`) !== match[2]) return undefined
  return JSON.parse(`${match[1]}}`)
}

function sumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, SUM_LENGTH)
}
