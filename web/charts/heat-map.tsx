/** Numbers from 0 to 1 over C and γ; a cell can be chosen with a click, or with the arrow keys. */
import { useRef } from 'preact/hooks'
import { formatNumber } from '../controls/fields.tsx'
import type { TuneCell } from '../worker/messages.ts'

/** What {@link HeatMap} shows. */
export interface HeatMapProps {
  readonly title: string
  readonly cells: readonly (TuneCell | undefined)[]
  /** Values of the rows and columns. */
  readonly C: readonly number[]
  readonly gamma: readonly number[]
  readonly read: (cell: TuneCell) => number
  readonly isChosen: (cell: TuneCell) => boolean
  readonly isBest?: (cell: TuneCell) => boolean
  readonly onChoose: (cell: TuneCell) => void
  /** Values at which the colour is palest and strongest. */
  readonly range: readonly [number, number]
}

/** See the header of the file. */
export function HeatMap(props: HeatMapProps) {
  const { title, cells, C, gamma, read, isChosen, isBest, onChoose, range } = props
  const table = useRef<HTMLTableElement>(null)
  const steps = C.length
  const rows = Array.from({ length: steps }, (_, k) => steps - 1 - k)
  const columns = Array.from({ length: steps }, (_, k) => k)
  const chosen = cells.find((cell) => cell && isChosen(cell))
  const entry = chosen ? chosen.row * steps + chosen.column : (steps - 1) * steps
  const move = (event: KeyboardEvent, row: number, column: number) => {
    const step = { ArrowUp: [1, 0], ArrowDown: [-1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key]
    if (!step) return
    event.preventDefault()
    const next = `[data-cell="${row + step[0]}-${column + step[1]}"]`
    table.current?.querySelector<HTMLElement>(next)?.focus()
  }
  return (
    <figure class="chart heat">
      <figcaption>{title}</figcaption>
      <table ref={table} class="heat-map">
        <caption class="unseen">{title}, C in rows and gamma in columns</caption>
        <colgroup>
          <col class="names" />
        </colgroup>
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              <th scope="row">{formatNumber(C[row], 2)}</th>
              {columns.map((column) => {
                const cell = cells[row * steps + column]
                if (!cell) return <td key={column} class="empty" />
                const value = read(cell)
                const strength = Math.min(1, Math.max(0, (value - range[0]) / (range[1] - range[0])))
                const words = `${Math.round(100 * value)}% for C ${formatNumber(cell.C)}, γ ${formatNumber(cell.gamma)}`
                return (
                  <td key={column}>
                    <button
                      type="button"
                      data-cell={`${row}-${column}`}
                      tabIndex={row * steps + column === entry ? 0 : -1}
                      style={`--strength: ${(100 * strength).toFixed(0)}%`}
                      aria-label={words}
                      aria-pressed={isChosen(cell)}
                      title={words}
                      onClick={() => onChoose(cell)}
                      onKeyDown={(event) => move(event, row, column)}
                    >
                      {Math.round(100 * value)}
                      {isBest?.(cell) && <span class="best" aria-hidden="true" />}
                    </button>
                  </td>
                )
              })}
            </tr>
          ))}
          <tr class="axis-row">
            <th scope="row">C&#8239;↑ γ&#8239;→</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {formatNumber(gamma[column], 2)}
              </th>
            ))}
          </tr>
        </tbody>
      </table>
    </figure>
  )
}
