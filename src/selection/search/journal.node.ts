/**
 * Scores kept in a file as they come, so that work continues where it stopped. The file is JSON lines, appended to and never
 * rewritten:
 *
 *   {"format":"hyperplane-journal","version":1,"job":{…},"scoring":"accuracy","sum":"…"}
 *   {"job":"…","params":{"C":1,"gamma":0.5},"fold":0,"score":0.97,"seconds":0.01,"sum":"…"}
 *
 * `job` of the first line says what was asked (data by hash, estimator, folds); `job` of the others is its key. `sum` is
 * the start of the SHA-256 of the line without it. A line that was cut off (the process was killed while it wrote, or the
 * disk was full) is dropped, and its score is computed again; so is a last line with any defect. A line before it that is
 * whole but not as it was written is an error.
 * Each line is handed to the system immediately, which keeps it when the process dies; it is forced to the disk (fsync) once a
 * second and at the end, so that a power failure costs a second. Where a line cannot be written whole, what was written of
 * it is taken back.
 */
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { canonicalJson } from '../../base/canonical-json.ts'
import { DataError, FormatError, show } from '../../base/errors.ts'
import { explainFileError } from '../../data/files/file-error.node.ts'
import type { ResultStore, UnitScore } from '../score/evaluate-cells.ts'
import type { Params } from './estimator-params.ts'
import { jobKey, type TuningJob } from './tuning-job.ts'

/** Milliseconds of work that a power failure may cost, and hexadecimal digits of the checksum of a line: 64 bits. */
const FSYNC_MS = 1000
const SUM_LENGTH = 16
const NEWLINE = 10
const HEAD_START = '{"format":"hyperplane-journal",'

/** What a line says. */
type Entry = Readonly<Record<string, unknown>>

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
  private readonly path: string
  private readonly file: number
  private readonly key: string
  private synced = performance.now()

  private constructor(path: string, file: number, job: TuningJob, scoring: string, key: string) {
    this.path = path
    this.file = file
    this.key = key
    const { data, estimator, folds } = job
    const head = { format: 'hyperplane-journal', version: 1, job: { data, estimator, folds }, scoring }
    const bytes = readFileSync(file)
    let end = bytes.lastIndexOf(NEWLINE) + 1
    if (end === 0 && !isBegunHead(bytes.toString())) throw notAJournal(path)
    const lines = bytes.toString('utf8', 0, end).split('\n').slice(0, -1)
    if (lines.length > 1 && !unsealed(lines[lines.length - 1])) {
      lines.pop()
      end = bytes.lastIndexOf(NEWLINE, end - 2) + 1
    }
    this.readAll(path, lines, head)
    if (end < bytes.length) ftruncateSync(file, end)
    if (lines.length === 0) this.append(head)
    this.known = this.scores.size
  }

  /**
   * Opens the journal of a job at `path`, or begins one. Throws when the file is the journal of another job, with what
   * differs, or no journal at all; it is left as it is then.
   */
  static async open(path: string, job: TuningJob, scoring: string): Promise<Journal> {
    const key = await jobKey(job, scoring)
    let file: number | undefined
    try {
      file = openSync(path, 'a+')
      // What is written to a pipe or a device cannot be read again; waiting for it would be in vain.
      if (!fstatSync(file).isFile()) throw new DataError(`${path}: a journal must be a file`)
      return new Journal(path, file, job, scoring, key)
    } catch (error) {
      if (file !== undefined) closeSync(file)
      throw explainFileError(path, error)
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
    try {
      fsyncSync(this.file)
    } catch (error) {
      throw explainFileError(this.path, error)
    } finally {
      closeSync(this.file)
    }
  }

  private append(entry: object): void {
    const before = fstatSync(this.file).size
    try {
      const bytes = Buffer.from(`${sealed(entry)}\n`)
      for (let at = 0; at < bytes.length; ) at += writeSync(this.file, bytes, at)
      if (performance.now() - this.synced < FSYNC_MS) return
      fsyncSync(this.file)
      this.synced = performance.now()
    } catch (error) {
      ftruncateSync(this.file, before)
      throw explainFileError(this.path, error)
    }
  }

  /** Takes in the lines; see the header of the file for those that are passed over. */
  private readAll(
    path: string,
    lines: readonly string[],
    head: object & { job: Asked; scoring: string },
  ): void {
    if (lines.length === 0) return
    checkHead(path, unsealed(lines[0]), head)
    for (const { line, entry } of entriesIn(path, lines, '; delete the file to start again')) {
      this.take(path, line, entry)
    }
  }

  private take(path: string, line: number, entry: Entry): void {
    const { job, params, fold, score, seconds } = entry
    if (job !== this.key || typeof params !== 'object' || typeof fold !== 'number') {
      throw new FormatError('this line does not belong to this journal', { file: path, line })
    }
    this.scores.set(unitKey(params as Params, fold), {
      score: Number(score ?? Number.NaN),
      seconds: Number(seconds),
    })
  }
}

/** Journals of one search that was shared out, as one: the text of the file that {@link Journal.open} continues with. */
export function mergeJournals(paths: readonly string[]): { readonly text: string; readonly scores: number } {
  let head: string | undefined
  const entries = new Map<string, { readonly line: string; readonly score: unknown; readonly path: string }>()
  for (const path of paths) {
    const lines = readLines(path)
    const first = lines.length > 0 ? unsealed(lines[0]) : undefined
    if (first?.format !== 'hyperplane-journal') throw notAJournal(path)
    head ??= lines[0]
    if (lines[0] !== head) checkHead(path, first, unsealed(head) as never, `as ${paths[0]} was`)
    if (isDamaged(lines[lines.length - 1])) lines.pop()
    for (const { entry } of entriesIn(path, lines)) {
      const { params, fold, score } = entry
      const key = unitKey(params as Params, fold as number)
      const before = entries.get(key)
      if (before && before.score !== score) {
        throw new DataError(
          `${path}: fold ${fold} of ${canonicalJson(params)} has score ${score}, and ${before.score} in ${before.path}; were they written by different versions?`,
        )
      }
      if (!before) entries.set(key, { line: sealed(entry), score, path })
    }
  }
  const text = [head as string, ...Array.from(entries.values(), ({ line }) => line)].join('\n')
  return { text: `${text}\n`, scores: entries.size }
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').slice(0, -1)
  } catch (error) {
    throw explainFileError(path, error)
  }
}

/** What the lines behind the first say, and their numbers; see the header of the file for those that are passed over. */
function* entriesIn(path: string, lines: readonly string[], advice = '') {
  for (const [k, text] of lines.entries()) {
    if (k === 0) continue
    if (isDamaged(text)) {
      throw new FormatError(`this line of the journal is damaged${advice}`, { file: path, line: k + 1 })
    }
    const entry = unsealed(text) ?? afterCut(text)
    if (entry) yield { line: k + 1, entry }
  }
}

function checkHead(
  path: string,
  found: Entry | undefined,
  head: { job: Asked; scoring: string },
  words?: string,
): void {
  if (found?.format !== 'hyperplane-journal') throw notAJournal(path)
  if (found.version !== 1) {
    throw new DataError(
      `${path}: journal version ${show(found.version)} is not supported; this program reads version 1`,
    )
  }
  const before = { ...(found.job as Asked), scoring: found.scoring }
  const now = { ...head.job, scoring: head.scoring }
  const differing = (Object.keys(PARTS) as (keyof typeof PARTS)[]).filter(
    (part) => canonicalJson(before[part]) !== canonicalJson(now[part]),
  )
  if (differing.length === 0) return
  const conflict = `${path}: this journal was started with ${differing.map((part) => PARTS[part]).join(', ')}`
  throw new DataError(
    words === undefined
      ? `${conflict}; use another file, or delete it to start again`
      : `${conflict}, not ${words}`,
  )
}

function notAJournal(path: string): DataError {
  return new DataError(`${path}: this is not a journal of Hyperplane; the file is left unchanged`)
}

/** What a store calls a cell on a fold. */
export function unitKey(params: Params, fold: number): string {
  return `${fold} ${canonicalJson(params)}`
}

/** A line: the entry as JSON, numbers that JSON lacks as words, and the sum of it. */
function sealed(entry: object): string {
  const text = canonicalJson(entry)
  return `${text.slice(0, -1)},"sum":"${sumOf(text)}"}`
}

/** The entry of a line; undefined where the sum does not fit, or it is no JSON. */
function unsealed(line: string): Entry | undefined {
  const match = /^(\{.*),"sum":"([0-9a-f]+)"\}$/.exec(line)
  if (!match || sumOf(`${match[1]}}`) !== match[2]) return undefined
  try {
    return JSON.parse(`${match[1]}}`)
  } catch {
    return undefined
  }
}

/** Whether a line says all that lines say, but not as it was written. */
function isDamaged(line: string): boolean {
  try {
    return typeof JSON.parse(line).sum === 'string' && unsealed(line) === undefined
  } catch {
    return false
  }
}

/** The entry that was written on after one that was cut off, into the same line. */
function afterCut(line: string): Entry | undefined {
  for (let at = line.indexOf('{', 1); at > 0; at = line.indexOf('{', at + 1)) {
    const entry = unsealed(line.slice(at))
    if (entry) return entry
  }
  return undefined
}

/** Whether a text without a line end is what a process got to write of the first line of a journal, whatever its job. */
function isBegunHead(text: string): boolean {
  return text.startsWith(HEAD_START) || HEAD_START.startsWith(text)
}

function sumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, SUM_LENGTH)
}
