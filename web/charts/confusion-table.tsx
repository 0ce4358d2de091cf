/** How often each class was predicted as each class. */

/** Rows are true classes, columns predicted ones. */
export function ConfusionTable(props: {
  readonly labels: readonly (string | number)[]
  readonly counts: readonly (readonly number[])[]
}) {
  const { labels, counts } = props
  const most = Math.max(1, ...counts.flat())
  return (
    <table class="confusion">
      <caption>Confusion matrix: rows are true, columns predicted</caption>
      <thead>
        <tr>
          <td />
          {labels.map((label) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {counts.map((row, t) => (
          <tr key={labels[t]}>
            <th scope="row">{labels[t]}</th>
            {row.map((count, p) => (
              <td
                key={labels[p]}
                class={t === p ? 'right' : 'wrong'}
                style={`--strength: ${((100 * count) / most).toFixed(0)}%`}
              >
                {count}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
