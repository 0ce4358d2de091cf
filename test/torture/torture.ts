/**
 * The campaign: tries to make the package break a promise (docs/reliability.md), for as long as it is let.
 *
 *   npm run torture -- [--only NAME,NAME] [--count N] [--seed S] [--minutes M] [--report FILE] [--docs]
 *
 *   --only      sections to run, by name. Default: all
 *   --count     cases a section. Default: each has its own number
 *   --seed      everything random follows from it. Default: 1
 *   --from      the number of the first case: with --count 1 it brings a finding about again
 *   --minutes   time for all sections together
 *   --report    writes FILE.json and FILE.md
 *   --docs      writes the figures into docs/reliability.md
 *
 * It ends with 1 when there was a finding, each with the flags that bring it about again.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { exit, stdout, versions } from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import {
  type CampaignReport,
  type Finding,
  type Outcome,
  type Section,
  type SectionCounts,
  toMarkdown,
} from './report.ts'
import { sections } from './sections.ts'

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    count: { type: 'string' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string' },
    minutes: { type: 'string' },
    report: { type: 'string' },
    docs: { type: 'boolean', default: false },
  },
})

const page = fileURLToPath(new URL('../../docs/reliability.md', import.meta.url))
const figures = /(<!-- figures -->\n).*(<!-- \/figures -->)/s
const progressEvery = 10_000

const seed = wholeNumber('seed', flags.seed) as number
const count = wholeNumber('count', flags.count)
const from = wholeNumber('from', flags.from)
const chosen = chosenSections(flags.only)
const end =
  flags.minutes === undefined ? Number.POSITIVE_INFINITY : Date.now() + 60_000 * Number(flags.minutes)

const outcomes: Outcome[] = []
for (const [position, section] of chosen.entries()) {
  const left = end - Date.now()
  outcomes.push(await runSection(section, Date.now() + left / (chosen.length - position)))
  // After every section: a run that is ended leaves what it has found.
  writeReport()
}
stdout.write(`\n${toMarkdown(reportOf(outcomes))}`)
if (flags.docs) {
  const text = readFileSync(page, 'utf8')
  if (!figures.test(text)) throw new Error(`${page} has no place for the figures`)
  const markdown = toMarkdown(reportOf(outcomes))
  writeFileSync(
    page,
    text.replace(figures, (_, open, close) => `${open}\n${markdown}\n${close}`),
  )
}
exit(outcomes.some((outcome) => 'findings' in outcome && outcome.findings.length > 0) ? 1 : 0)

function reportOf(done: readonly Outcome[]): CampaignReport {
  return { seed, date: new Date().toISOString().slice(0, 10), node: versions.node, outcomes: done }
}

function writeReport(): void {
  if (flags.report === undefined) return
  const report = reportOf(outcomes)
  writeFileSync(`${flags.report}.json`, `${JSON.stringify(report, null, 2)}\n`)
  writeFileSync(`${flags.report}.md`, toMarkdown(report))
}

async function runSection(section: Section, until: number): Promise<Outcome> {
  const { name, title, unit } = section
  const missing = section.missing?.()
  if (missing !== undefined) {
    stdout.write(`\n${name.toUpperCase()} IS NOT RUN: ${missing}\n`)
    return { name, title, missing }
  }
  stdout.write(`\n${name}: ${title}\n`)
  const findings: Finding[] = []
  const started = Date.now()
  const of = count ?? section.count
  let nextWord = started + progressEvery
  const onFinding = (finding: Finding) => {
    findings.push(finding)
    stdout.write(`  FINDING ${finding.what}\n    npm run torture -- ${finding.again}\n`)
  }
  let reached = 0
  const onProgress = (done: number) => {
    reached = done
    const now = Date.now()
    if (now >= nextWord) {
      nextWord = now + progressEvery
      const spent = Math.round((now - started) / 1000)
      stdout.write(`  ${done} of ${of}, ${findings.length} findings, ${spent} s\n`)
    }
    return now < until
  }
  let result: SectionCounts
  try {
    result = await section.run({ seed, count: of, from, onFinding, onProgress })
  } catch (error) {
    const what = `the section ends with ${error instanceof Error ? error.stack : error}`
    const again = `--only ${name} --seed ${seed} --from ${(from ?? 0) + reached} --count 1`
    onFinding({ section: name, what, again })
    result = { done: reached, lines: [], counts: {} }
  }
  const seconds = (Date.now() - started) / 1000
  stdout.write(`  ${result.done} ${unit}, ${findings.length} findings, ${Math.round(seconds)} s\n`)
  return { name, title, unit, ...result, findings, seconds }
}

function chosenSections(only: string | undefined): readonly Section[] {
  if (only === undefined) return sections
  return only.split(',').map((name) => {
    const found = sections.find((section) => section.name === name)
    const known = sections.map((section) => section.name).join(', ')
    if (!found) throw new Error(`--only: no section is named ${name}; there are ${known}`)
    return found
  })
}

function wholeNumber(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (!(Number.isInteger(value) && value >= 0)) throw new Error(`--${flag}: a whole number >= 0, got ${text}`)
  return value
}
