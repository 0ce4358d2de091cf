/** What the sections of the campaign and its runner have in common, and the report of a run. */
import type { CaseOptions } from './cases.ts'

/** Something that must not be. */
export interface Finding {
  readonly section: string
  readonly what: string
  /** The flags of `npm run torture` that bring it about again. */
  readonly again: string
}

/** Hears how many are done; says false when the time is over. */
export type Progress = (done: number) => boolean

/** What a section has done. */
export interface SectionCounts {
  /** How many of what `unit` says. */
  readonly done: number
  /** What was counted beyond that, in words. */
  readonly lines: readonly string[]
  /** The same as data. */
  readonly counts: object
}

/** One part of the campaign. */
export interface Section {
  readonly name: string
  /** What it tries to break. */
  readonly title: string
  /** What is counted. */
  readonly unit: string
  /** How many cases a run has unless told. */
  readonly count: number
  /** What this machine lacks for it, if anything. */
  readonly missing?: () => string | undefined
  run(options: CaseOptions): Promise<SectionCounts>
}

/** A section after its run, or what kept it from running. */
export type Outcome =
  | ({ readonly name: string; readonly title: string; readonly missing: string } & Partial<SectionCounts>)
  | ({
      readonly name: string
      readonly title: string
      readonly unit: string
      readonly seconds: number
      readonly findings: readonly Finding[]
    } & SectionCounts)

/** A whole run. */
export interface CampaignReport {
  readonly seed: number
  readonly date: string
  readonly node: string
  readonly outcomes: readonly Outcome[]
}

/** The report as Markdown: a table, and a list of what each section counted. */
export function toMarkdown({ seed, date, node, outcomes }: CampaignReport): string {
  const rows = outcomes.map((outcome) =>
    'seconds' in outcome
      ? [
          outcome.title,
          `${outcome.done.toLocaleString('en')} ${outcome.unit}`,
          `${outcome.findings.length}`,
          `${Math.round(outcome.seconds).toLocaleString('en')} s`,
        ]
      : [outcome.title, `not run: ${outcome.missing}`, '', ''],
  )
  const details = outcomes.flatMap(({ title, lines = [] }) =>
    lines.length > 0 ? [`- ${title}`, ...lines.map((line) => `  - ${line}`)] : [],
  )
  const findings = outcomes.flatMap((outcome) =>
    'findings' in outcome
      ? outcome.findings.map(({ what, again }) => `- ${what} (\`npm run torture -- ${again}\`)`)
      : [],
  )
  return [
    `Run of ${date}, Node ${node}, seed ${seed}.`,
    '',
    ...tableLines([['what', 'how much', 'findings', 'time'], ...rows]),
    '',
    ...details,
    ...(findings.length > 0 ? ['', 'Findings:', '', ...findings] : []),
    '',
  ].join('\n')
}

/** A table of Markdown, its columns aligned; the first row is the head. */
function tableLines(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`
  return [line(rows[0]), line(widths.map((width) => '-'.repeat(width))), ...rows.slice(1).map(line)]
}

/** `a 3, b 2`: counts by name, the largest first. */
export function tallyWords(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count.toLocaleString('en')}`)
    .join(', ')
}
