/** The threshold of a two-class model: what moving it does to precision and recall, on the samples of the evaluation. */
import { signal } from '@preact/signals'
import type { Label } from '../../src/index.ts'
import { Fact } from '../controls/fact.tsx'
import { formatNumber, Slider } from '../controls/fields.tsx'
import type { FileResult } from '../files/file-messages.ts'

/** Where the slider is: 0 calls nothing positive, 1 everything; undefined at the model's own threshold, f = 0. */
const place = signal<{ readonly of: FileResult; readonly share: number } | undefined>(undefined)

/** See the header of the file. */
export function ThresholdCard({ result }: { readonly result: FileResult }) {
  const { roc, confusion, labels } = result
  if (!roc) return null
  const { thresholds, truePositiveRate, falsePositiveRate } = roc
  const last = thresholds.length - 1
  // Thresholds fall: the model's own is the last that is not below 0.
  const own = thresholds.findLastIndex((threshold) => threshold >= 0)
  const chosen = place.value?.of === result ? Math.round(place.value.share * last) : Math.max(0, own)
  const [negatives, positives] = confusion.map((row) => row.reduce((sum, count) => sum + count, 0))
  const found = Math.round(truePositiveRate[chosen] * positives)
  const false_ = Math.round(falsePositiveRate[chosen] * negatives)
  const precision = found + false_ > 0 ? found / (found + false_) : Number.NaN
  const recall = positives > 0 ? found / positives : Number.NaN
  const percent = (share: number) => (Number.isNaN(share) ? '—' : `${(100 * share).toFixed(1)}%`)
  const name = `“${labels[1]}”`
  return (
    <div class="stack">
      <h3>Threshold: from which f on is a sample called {name}?</h3>
      <Slider
        label="threshold"
        value={last > 0 ? chosen / last : 0}
        min={0}
        max={1}
        step={last > 0 ? 1 / last : 1}
        show={() => (chosen === 0 ? 'above all values' : `f ≥ ${formatNumber(thresholds[chosen])}`)}
        onInput={(share) => {
          place.value = { of: result, share }
        }}
      />
      <dl class="facts">
        <Fact
          name={`Precision of ${name}`}
          value={percent(precision)}
          note={`${found} of ${found + false_} called so`}
        />
        <Fact name={`Recall of ${name}`} value={percent(recall)} note={`${found} of ${positives} found`} />
        <Fact
          name="Correct"
          value={percent((found + negatives - false_) / (positives + negatives))}
          note={chosen === own ? 'the model’s own threshold' : 'at this threshold'}
        />
      </dl>
      <p class="quiet">
        The numbers are those of the samples above. A threshold that was chosen by them does a little worse on
        others.
      </p>
    </div>
  )
}

/** Precision, recall and F1 of every class. */
export function ClassTable(props: {
  readonly labels: readonly Label[]
  readonly confusion: FileResult['confusion']
}) {
  const { labels, confusion } = props
  const percent = (part: number, whole: number) => (whole > 0 ? `${((100 * part) / whole).toFixed(1)}%` : '—')
  return (
    <table class="numbers">
      <caption class="unseen">Each class</caption>
      <thead>
        <tr>
          <th scope="col">class</th>
          <th scope="col">samples</th>
          <th scope="col">precision</th>
          <th scope="col">recall</th>
          <th scope="col">F1</th>
        </tr>
      </thead>
      <tbody>
        {labels.map((label, k) => {
          const right = confusion[k][k]
          const total = confusion[k].reduce((sum, count) => sum + count, 0)
          const called = confusion.reduce((sum, row) => sum + row[k], 0)
          return (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{total}</td>
              <td>{percent(right, called)}</td>
              <td>{percent(right, total)}</td>
              <td>{percent(2 * right, total + called)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
