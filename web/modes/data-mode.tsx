/** Train on a file of your own, in the page: nothing is uploaded. */
import { useRef } from 'preact/hooks'
import type { Label } from '../../src/index.ts'
import { ConfusionTable } from '../charts/confusion-table.tsx'
import { LineChart } from '../charts/line-chart.tsx'
import { Fact } from '../controls/fact.tsx'
import { formatNumber, Menu, Slider, Tick } from '../controls/fields.tsx'
import { ModelControls } from '../controls/model-controls.tsx'
import { Compared } from '../data/compared.tsx'
import { hovering } from '../data/drops.ts'
import { FilePlane, sceneOf } from '../data/file-plane.tsx'
import {
  activity,
  cancelFile,
  choose,
  file,
  fileProblem,
  modelFiles,
  modelReport,
  openFile,
  outdated,
  preview,
  result,
  trainFile,
  tuned,
} from '../data/file-state.ts'
import { PredictCard } from '../data/predict-card.tsx'
import { PreviewCard } from '../data/preview-card.tsx'
import { ClassTable, ThresholdCard } from '../data/threshold-card.tsx'
import { scoreText, TuneCard } from '../data/tune-card.tsx'
import { fileSnippet } from '../export/snippet.ts'
import { TakeAway } from '../export/take-away.tsx'
import type { FileResult, FileSummary, FitNews } from '../files/file-messages.ts'
import { Legend } from '../plane/legend.tsx'
import { Mark } from '../plane/mark.tsx'
import type { FileSettings } from '../state/lab-state.ts'
import { change, state } from '../state/store.ts'
import { Explain } from '../words/explain.tsx'
import { Facts } from './result-card.tsx'

/** See the header of the file. */
export function DataMode() {
  const summary = file.value
  const now = result.value
  return (
    <div class="split">
      <div class="stage">
        <DropZone />
        {fileProblem.value && (
          <p class="problem" role="alert">
            {fileProblem.value}
          </p>
        )}
        <Activity />
        <PreviewCard />
        {now && <Learned result={now} />}
        <Compared />
      </div>
      <div class="panel">
        {summary && <FileControls summary={summary} />}
        <ModelControls />
        {summary && <TuneCard summary={summary} />}
        {now && <PredictCard />}
        {summary && now && (
          <TakeAway
            name={summary.name.replace(/\..*$/, '') || 'model'}
            files={modelFiles}
            libsvm={now.libsvm}
            scene={() => sceneOf(now)}
            grid={now.picture.grid}
            snippet={() => fileSnippet(summary.name, now.chosen)}
            report={async () => {
              const { reportPage } = await import('../data/report.ts')
              return reportPage({ summary, learned: now, report: await modelReport(), tuned: tuned.value })
            }}
          />
        )}
      </div>
    </div>
  )
}

function DropZone() {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div class={`card drop${hovering.value ? ' over' : ''}`}>
      <div>
        <h2>{preview.value ? preview.value.name : 'Drop a table here: CSV, Parquet, LIBSVM …'}</h2>
        <p class="quiet">
          {file.value
            ? `${file.value.rows.toLocaleString('en')} samples, ${file.value.featureCount.toLocaleString('en')} features`
            : preview.value
              ? 'The file cannot be read as it is chosen below.'
              : 'The file stays on this computer: training runs in the page. TSV, JSON records and compressed files work too.'}
        </p>
      </div>
      <button type="button" class={preview.value ? '' : 'primary'} onClick={() => input.current?.click()}>
        {preview.value ? 'Another file' : 'Choose a file'}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        class="to-open"
        aria-label="File to open"
        onChange={({ currentTarget }) => {
          const [chosen] = currentTarget.files ?? []
          if (chosen) void openFile(chosen)
          currentTarget.value = ''
        }}
      />
    </div>
  )
}

function Activity() {
  const now = activity.value
  if (!now) return null
  const { words, share } =
    now.kind === 'reading'
      ? readingWords(now.share)
      : now.kind === 'tuning'
        ? tuningWords()
        : now.kind === 'predicting'
          ? { words: 'Predicting…', share: undefined }
          : trainingWords(now.news)
  return (
    <div class="card activity" role="status">
      <div class="spread">
        <span>{words}</span>
        <button type="button" onClick={cancelFile}>
          Cancel
        </button>
      </div>
      <progress value={share} max={1} aria-label={words} />
    </div>
  )
}

function readingWords(share: number): { words: string; share: number | undefined } {
  return { words: `Reading: ${Math.round(100 * share)}%`, share }
}

function tuningWords(): { words: string; share: number | undefined } {
  const { done = 0, total, best, request } = tuned.value ?? {}
  const so = best && request ? `, best so far ${scoreText(request.scoring, best)}` : ''
  const fits = total === undefined ? `${done} fits` : `${done} of ${total} fits`
  const share = total === undefined ? undefined : done / total
  return { words: done === 0 ? 'Tuning…' : `Tuning: ${fits}${so}`, share }
}

/** The violation falls over powers of ten: so does the bar. */
function trainingWords(news: FitNews | undefined): { words: string; share: number | undefined } {
  if (!news) return { words: 'Training…', share: undefined }
  if (news.kind === 'evaluating') return { words: 'Trained. Evaluating and drawing…', share: undefined }
  const { violation, tol, seconds } = news
  const words = `Training for ${formatNumber(seconds, 2)} s: violation ${formatNumber(violation, 2)}, target ${formatNumber(tol)}`
  const share = violation > 0 ? 1 - Math.log(violation / tol) / Math.log(2 / tol) : undefined
  return { words, share: share === undefined ? share : Math.min(1, Math.max(0.03, share)) }
}

function Learned({ result: now }: { readonly result: FileResult }) {
  const { axes, explained, confusion, labels, roc, accuracy, targets, testCount, trainCount, picture } = now
  const evaluated = testCount > 0 ? `${testCount} held-out samples` : 'the training samples'
  const drawn = now.points.classes.length
  const { usual, meanRecall, unfound } = recallsOf(labels, confusion)
  return (
    <>
      <FilePlane key={now} result={now} />
      <div class="spread">
        <Legend kind={picture.kind} withSlack={picture.slackLines.length > 0} />
        <p class="quiet">
          {drawn < trainCount ? `The first ${drawn} of ${trainCount}` : `All ${trainCount}`} training samples.{' '}
          {axes[0]} →, {axes[1]} ↑
          {explained !== undefined && `, ${(100 * explained).toFixed(0)}% of the variance`}
        </p>
      </div>
      {!targets && <ClassKey labels={labels} />}
      <section class="card" aria-labelledby="evaluated-title">
        <h2 id="evaluated-title">On {evaluated}</h2>
        <dl class="facts">
          {targets ? (
            <>
              <Fact name="R²" value={formatNumber(targets.r2, 4)} />
              <Fact name="Mean error" value={formatNumber(targets.meanError, 4)} />
            </>
          ) : (
            <>
              <Fact
                name="Correct"
                value={`${(100 * accuracy).toFixed(2)}%`}
                note={`always “${usual.label}”: ${(100 * usual.share).toFixed(2)}%`}
              />
              <Fact name="Mean recall" value={`${(100 * meanRecall).toFixed(2)}%`} note="over the classes" />
            </>
          )}
          {roc && <Fact name="Area under ROC" value={formatNumber(roc.area, 4)} />}
          <Fact
            name="Trained on"
            value={trainCount.toLocaleString('en')}
            note={`${(picture.trainMs / 1000).toFixed(2)} s`}
          />
        </dl>
        {unfound.length > 0 && <Unfound unfound={unfound} usual={usual} accuracy={accuracy} />}
        <div class={labels.length > 6 ? 'stack' : 'pair'}>
          {!targets && <ConfusionTable labels={labels} counts={confusion} />}
          {roc && (
            <LineChart
              title={`ROC: “${labels[1]}” is positive`}
              curves={[
                { name: 'this model', colour: 0, x: roc.falsePositiveRate, y: roc.truePositiveRate },
                { name: 'chance', colour: 1, x: [0, 1], y: [0, 1] },
              ]}
              xLabel={`share of “${labels[0]}” that is called “${labels[1]}”`}
              height={230}
            />
          )}
        </div>
        {!targets && <ClassTable labels={labels} confusion={confusion} />}
        {roc && <ThresholdCard result={now} />}
        {roc && <Explain topic="roc" />}
        <Explain topic={targets ? 'tube' : 'projection'} />
      </section>
      <section class="card results" aria-labelledby="certificate-title">
        <h2 id="certificate-title">Certificate</h2>
        <Facts picture={picture} />
        <Explain topic="certificate" />
      </section>
    </>
  )
}

/** Which mark stands for which class. */
function ClassKey({ labels }: { readonly labels: readonly Label[] }) {
  return (
    <ul class="legend class-key" aria-label="Classes">
      {labels.map((label, c) => (
        <li key={label}>
          <Mark shape={c} /> {label}
        </li>
      ))}
    </ul>
  )
}

/** Says that a high share of correct answers is none where a class is never found. */
function Unfound(props: {
  readonly unfound: readonly Label[]
  readonly usual: { readonly label: Label; readonly share: number }
  readonly accuracy: number
}) {
  const { unfound, usual, accuracy } = props
  const names = unfound.map((label) => `“${label}”`)
  return (
    <p class="problem" role="alert">
      No sample of {names.slice(0, 6).join(', ')}
      {names.length > 6 && ` and ${names.length - 6} other classes`} was found.
      {accuracy <= usual.share && ` The model is not better than always answering “${usual.label}”.`} Try
      other values of C and γ, or let rare classes weigh as much as frequent ones.
    </p>
  )
}

/** What the confusion matrix says about each class. */
function recallsOf(labels: readonly Label[], confusion: FileResult['confusion']) {
  const totals = confusion.map((row) => row.reduce((sum, count) => sum + count, 0))
  const all = totals.reduce((sum, count) => sum + count, 0)
  const most = totals.indexOf(Math.max(...totals))
  const present = totals.flatMap((total, k) => (total > 0 ? [k] : []))
  return {
    usual: { label: labels[most], share: totals[most] / all },
    meanRecall: present.reduce((sum, k) => sum + confusion[k][k] / totals[k], 0) / present.length,
    unfound: present.filter((k) => confusion[k][k] === 0).map((k) => labels[k]),
  }
}

function FileControls({ summary }: { readonly summary: FileSummary }) {
  const { file: options } = state.value
  const set = (part: Partial<FileSettings>, group = '') => change({ file: { ...options, ...part } }, group)
  const { features, featureCount, classes } = summary
  const peek = preview.value?.peek
  const feature = (axis: 0 | 1) => {
    const pair = options.picture === 'pca' ? ([0, 1] as const) : options.picture
    return (
      <Menu
        label={axis === 0 ? 'Horizontal' : 'Vertical'}
        value={String(pair[axis])}
        options={features.map((name, j) => [String(j), name] as const)}
        onChange={(next) => set({ picture: axis === 0 ? [Number(next), pair[1]] : [pair[0], Number(next)] })}
      />
    )
  }
  return (
    <section class="card" aria-labelledby="file-title">
      <h2 id="file-title">File</h2>
      {peek?.label !== undefined && (
        <Menu
          label="Label column"
          value={String(peek.label)}
          options={peek.columns.map(({ title }, k) => [String(k), title] as const)}
          onChange={(next) => choose({ label: Number(next) })}
        />
      )}
      <p class="quiet">
        {classes.length > 0
          ? `Classes: ${classes.map(({ label, count }) => `${label} (${count.toLocaleString('en')})`).join(', ')}`
          : summary.isNumeric
            ? 'The labels have many different values, so the model is a regression.'
            : 'The labels have too many different values to be classes.'}
      </p>
      {peek?.columns.length === 0 && (
        <p class="quiet">All {featureCount.toLocaleString('en')} features are used.</p>
      )}
      <Menu<FileSettings['scaler']>
        label="Scaling"
        value={options.scaler}
        options={[
          ['none', 'none'],
          ['range', 'to the range −1 to 1'],
          ['standard', 'to mean 0 and variance 1'],
        ]}
        onChange={(scaler) => set({ scaler })}
      />
      {classes.length > 0 && state.value.fileModel.problem === 'svc' && (
        <Tick
          label="Rare classes weigh as much as frequent ones"
          checked={options.balanced}
          onChange={(balanced) => set({ balanced })}
        />
      )}
      <Slider
        label="held out for evaluation"
        value={options.holdOut}
        min={0}
        max={0.5}
        step={0.05}
        show={(value) => `${Math.round(100 * value)}%`}
        onInput={(holdOut) => set({ holdOut }, 'holdOut')}
      />
      {state.value.fileModel.problem !== 'svr' && (
        <>
          <Menu
            label="Picture"
            value={options.picture === 'pca' ? 'pca' : 'pair'}
            options={[
              ['pca', 'two principal components'],
              ['pair', 'two features', features.length < 2],
            ]}
            onChange={(next) => set({ picture: next === 'pca' ? 'pca' : [0, 1] })}
          />
          {options.picture !== 'pca' && (
            <>
              {feature(0)}
              {feature(1)}
            </>
          )}
        </>
      )}
      {outdated.value && <p class="hint">Settings have changed since this model was trained.</p>}
      <button
        type="button"
        class="primary"
        disabled={activity.value !== undefined}
        onClick={() => void trainFile()}
      >
        Train
      </button>
    </section>
  )
}
