/** How often each class was predicted as each class. */

/** Rows are true classes, columns predicted ones. */
export function ConfusionTable(props: {
  readonly labels: readonly (string | number)[]
  readonly counts: readonly (readonly number[])[]
}) {
  const { labels, counts } = props
  const most = Math.max(1, ...counts.flat())
  const isLarge = labels.length > 6
  const table = (
    <table class={isLarge ? 'confusion many' : 'confusion'}>
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
  if (!isLarge) return table
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <section class="scroll" tabIndex={0} aria-label="Confusion matrix">
      {table}
    </section>
  )
}
