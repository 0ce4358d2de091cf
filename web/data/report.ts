/** A page about the model of a file that can be kept and printed: the report of the command line, of what the Lab shows. */
import { classificationReport } from '../../src/metrics.ts'
import { htmlReport, type ReportSection, searchFigures, unseenSection } from '../../src/plots.ts'
import { formatNumber } from '../controls/fields.tsx'
import { kernelCode } from '../export/snippet.ts'
import type { FileReport, FileSummary } from '../files/file-messages.ts'
import type { Learned, Tuned } from './file-state.ts'
import { paramText, scoreText } from './tune-card.tsx'
import { ranked } from './tuned-cells.ts'

/** What the page tells of. */
export interface ReportOptions {
  readonly summary: FileSummary
  readonly learned: Learned
  readonly report: FileReport
  readonly tuned: Tuned | undefined
}

/** Cells of the search that are listed. */
const LISTED = 10

/** The text of the page. */
export async function reportPage({ summary, learned, report, tuned }: ReportOptions): Promise<string> {
  const { testCount } = learned
  const heading = testCount > 0 ? `On ${testCount} held-out samples` : 'On the training samples'
  const isRegression = learned.targets !== undefined
  const unseen = await unseenSection(heading, report.said, isRegression)
  return htmlReport(`Model of ${summary.name}`, [
    modelSection(summary, learned),
    ...columnsSection(learned, summary, report),
    { ...unseen, ...scores(learned, report) },
    ...(tuned?.best ? [await tunedSection(tuned)] : []),
  ])
}

function modelSection(summary: FileSummary, learned: Learned): ReportSection {
  const { settings, file } = learned.chosen
  const { problem, C, nu, epsilon, kernel, tol, solver } = settings
  const { certificates } = learned.picture
  const supports = learned.picture.coefficients.reduce((count, value) => count + (value === 0 ? 0 : 1), 0)
  const gap = Math.max(0, ...certificates.map((one) => one.gap))
  const isDone = certificates.every(({ stopReason }) => stopReason === 'converged')
  const price = problem === 'nu-svc' ? `ν = ${nu}` : `C = ${C}${problem === 'svr' ? `, ε = ${epsilon}` : ''}`
  const isWeighted = file.balanced && problem === 'svc'
  return {
    heading: 'The model',
    text: [
      `${summary.name}: ${summary.rows} samples, ${summary.featureCount} features. Trained on ${learned.trainCount} samples in the Lab of Hyperplane.`,
    ],
    table: {
      columns: ['setting', 'value'],
      left: ['setting', 'value'],
      rows: [
        ['problem', problem],
        ['kernel', kernelCode(kernel)],
        ['parameters', `${price}${isWeighted ? ', classes weigh the same' : ''}`],
        ['scaling', file.scaler],
        ['solver', `${problem === 'svc' ? solver : 'smo'}, tolerance ${tol}`],
        // Of large files, only the first samples are drawn, and known here.
        ...(learned.picture.coefficients.length === learned.trainCount
          ? [['support vectors', `${supports} of ${learned.trainCount}`]]
          : []),
        ['certificate', `${isDone ? 'converged' : 'not converged'}, largest gap ${formatNumber(gap, 2)}`],
      ],
    },
  }
}

/** What became of the columns: as the model learned it, or as the file was read. */
function columnsSection(
  { chosen: { peek } }: Learned,
  { columns, dropped }: FileSummary,
  { preparation }: FileReport,
): ReportSection[] {
  if (peek.columns.length === 0) return []
  const learned = new Map(
    preparation.flatMap((line) => {
      const column = peek.columns.find(({ name }) => line.startsWith(`${name}: `))
      return column ? [[column.name, line.slice(column.name.length + 2)] as const] : []
    }),
  )
  return [
    {
      heading: 'The columns',
      ...(dropped > 0 && { text: [`${dropped} rows with missing cells were left out.`] }),
      table: {
        columns: ['column', 'taken for'],
        left: ['column', 'taken for'],
        rows: peek.columns.map(({ name, title }, k) => [title, learned.get(name) ?? columns[k]]),
      },
    },
  ]
}

function scores(learned: Learned, { said }: FileReport): Partial<ReportSection> {
  const { targets } = learned
  if (targets) {
    const rows = [
      ['R²', formatNumber(targets.r2, 4)],
      ['mean error', formatNumber(targets.meanError, 4)],
    ]
    return { table: { columns: ['score', 'value'], rows } }
  }
  const percent = (share: number) => `${(100 * share).toFixed(2)}%`
  const { accuracy, balancedAccuracy, classes } = classificationReport(said.truth, said.predicted)
  return {
    text: [`${percent(accuracy)} correct; mean recall of the classes ${percent(balancedAccuracy)}.`],
    table: {
      columns: ['class', 'samples', 'precision', 'recall', 'F1'],
      rows: classes.map(({ label, support, precision, recall, f1 }) => [
        String(label),
        support,
        ...[precision, recall, f1].map(percent),
      ]),
    },
  }
}

async function tunedSection({ best, cells, request, isComplete }: Tuned): Promise<ReportSection> {
  const { scoring, folds } = request
  const scored = ranked(cells)
  const chosen = best ?? scored[0]
  return {
    heading: 'How the parameters were chosen',
    text: [
      `${paramText(chosen.params)}: ${scoring} ${scoreText(scoring, chosen)} by ${folds} folds of the training samples${isComplete ? '' : ', in a search that was cancelled'}.`,
      'The score of the best cell was used to choose it, so it flatters a little.',
    ],
    table: {
      columns: ['parameters', scoring],
      rows: scored.slice(0, LISTED).map((cell) => [paramText(cell.params), scoreText(scoring, cell)]),
    },
    figures: await searchFigures({
      cells: scored,
      bestParams: chosen.params,
      scoring,
      greaterIsBetter: true,
    }),
  }
}
