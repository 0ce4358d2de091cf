/** Has the model predict another file, and gives that file back with a column of predictions. */
import { useRef } from 'preact/hooks'
import { save } from '../export/take-away.tsx'
import { activity, predicted, predictFile } from './file-state.ts'
import { Scrolling } from './preview-card.tsx'

/** See the header of the file. */
export function PredictCard() {
  const input = useRef<HTMLInputElement>(null)
  const now = predicted.value
  // What is new comes first here: there is little room. In the file it comes last.
  const order = now?.names.map((_, k) => (k + now.own) % now.names.length) ?? []
  return (
    <section class="card" aria-labelledby="predict-title">
      <h2 id="predict-title">Predict another file</h2>
      <p class="quiet">
        Columns are found by name: their order does not matter, others are left alone, and labels are not
        needed.
      </p>
      <button type="button" disabled={activity.value !== undefined} onClick={() => input.current?.click()}>
        Choose a file to predict
      </button>
      <input
        ref={input}
        type="file"
        hidden
        class="to-predict"
        aria-label="File to predict"
        onChange={({ currentTarget }) => {
          const [chosen] = currentTarget.files ?? []
          if (chosen) void predictFile(chosen)
          currentTarget.value = ''
        }}
      />
      {now && (
        <>
          <p>
            {now.name}: {now.rows.toLocaleString('en')} {now.rows === 1 ? 'row' : 'rows'} predicted.
          </p>
          {now.notes.map((note) => (
            <p key={note} class="quiet">
              {note}
            </p>
          ))}
          <Scrolling label="First predictions">
            <table class="numbers preview">
              <caption class="unseen">The first rows with their predictions</caption>
              <thead>
                <tr>
                  {order.map((k) => (
                    <th key={k} scope="col">
                      {now.names[k]}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {now.head.map((row, i) => (
                  <tr key={String(i)}>
                    {order.map((k) => (
                      <td key={k}>{row[k]}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </Scrolling>
          <button
            type="button"
            onClick={() =>
              save(
                new Blob([now.csv], { type: 'text/csv' }),
                `${now.name.replace(/\..*$/, '')}-predicted.csv`,
              )
            }
          >
            Save as CSV
          </button>
        </>
      )}
    </section>
  )
}
