/** Searches for the parameters of the model on the file, with the tuner of the library. */
import { signal } from '@preact/signals'
import { formatNumber, Menu } from '../controls/fields.tsx'
import type { FileCell, FileSummary, TuneScoring, TuneSearch } from '../files/file-messages.ts'
import { change, state } from '../state/store.ts'
import { activity, type Tuned, tuned, tuneFile } from './file-state.ts'
import { Scrolling } from './preview-card.tsx'
import { cellSettings, ranked } from './tuned-cells.ts'

const search = signal<TuneSearch>('quick')
const scoring = signal<TuneScoring>('accuracy')
const FOLDS = 5
/** Powers of two differ within so many digits. */
const DIGITS = 5
/** Cells that are listed. */
const LISTED = 5

const scoreWords: Readonly<Record<TuneScoring, string>> = {
  accuracy: 'share of correct answers',
  'balanced-accuracy': 'mean recall of the classes',
  f1: 'F1',
  'roc-auc': 'area under ROC',
  r2: 'R²',
}

/** See the header of the file. */
export function TuneCard({ summary }: { readonly summary: FileSummary }) {
  const isRegression = state.value.fileModel.problem === 'svr'
  const scores: readonly TuneScoring[] = isRegression
    ? ['r2']
    : ['accuracy', 'balanced-accuracy', 'f1', ...(summary.classes.length === 2 ? (['roc-auc'] as const) : [])]
  const chosen = scores.includes(scoring.value) ? scoring.value : scores[0]
  return (
    <section class="card" aria-labelledby="tune-file-title">
      <h2 id="tune-file-title">Tune</h2>
      <p class="quiet">
        Tries many parameters on {FOLDS} folds of the training samples, and trains with the best. Samples that
        are held out have no part in it.
      </p>
      <Menu
        label="Search"
        value={search.value}
        options={[
          ['quick', 'quick: a coarse grid, then finer'],
          ['grid', 'thorough: the grid of LIBSVM'],
          ['halving', 'that grid on ever more samples'],
        ]}
        onChange={(next) => {
          search.value = next
        }}
      />
      <Menu
        label="Score"
        value={chosen}
        options={scores.map((name) => [name, scoreWords[name]] as const)}
        onChange={(next) => {
          scoring.value = next
        }}
      />
      <button
        type="button"
        disabled={activity.value !== undefined}
        onClick={() => void tuneFile({ search: search.value, scoring: chosen, folds: FOLDS })}
      >
        Tune on this file
      </button>
      {tuned.value && <Found tuned={tuned.value} />}
    </section>
  )
}

/** A score as people write it. */
export function scoreText(name: TuneScoring, { mean, standardError }: FileCell): string {
  return name === 'r2' || name === 'roc-auc'
    ? `${formatNumber(mean, 4)} ± ${formatNumber(standardError, 2)}`
    : `${(100 * mean).toFixed(2)}% ± ${(100 * standardError).toFixed(2)}`
}

/** Parameters in words. */
export function paramText(params: FileCell['params']): string {
  const names: Readonly<Record<string, string>> = { gamma: 'γ', nu: 'ν' }
  return Object.entries(params)
    .map(([name, value]) => `${names[name] ?? name} ${formatNumber(value, DIGITS)}`)
    .join(', ')
}

function Found({ tuned: found }: { readonly tuned: Tuned }) {
  const { best, cells, done, total, isComplete, request } = found
  if (!best) return null
  const isRunning = activity.value?.kind === 'tuning'
  const tried = `${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}`
  return (
    <>
      <p>
        Best{isComplete ? '' : ' so far'}: {paramText(best.params)}, with {scoreText(request.scoring, best)} (
        {scoreWords[request.scoring]}).
        {isComplete && ` Chosen among ${tried}, so the score flatters a little.`}
        {!isComplete &&
          !isRunning &&
          ` The search was cancelled after ${done}${total === undefined ? '' : ` of ${total}`} fits; what is done can be used.`}
      </p>
      <Scrolling label="The best cells">
        <table class="numbers cells">
          <caption class="unseen">The best cells</caption>
          <thead>
            <tr>
              <th scope="col">cell</th>
              <th scope="col">score</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {ranked(cells)
              .slice(0, LISTED)
              .map((cell) => (
                <tr key={paramText(cell.params)}>
                  <th scope="row">{paramText(cell.params)}</th>
                  <td>{scoreText(request.scoring, cell)}</td>
                  <td>
                    <button
                      type="button"
                      aria-label={`Use ${paramText(cell.params)}`}
                      onClick={() => change({ fileModel: cellSettings(state.value.fileModel, cell.params) })}
                    >
                      Use
                    </button>
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      </Scrolling>
    </>
  )
}
