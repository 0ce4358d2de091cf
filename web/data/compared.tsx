/** The models that were trained on the file so far, side by side. */
import { formatNumber } from '../controls/fields.tsx'
import { kernelCode } from '../export/snippet.ts'
import { change } from '../state/store.ts'
import { type Learned, tried } from './file-state.ts'

/** See the header of the file; nothing before there are two. */
export function Compared() {
  const list = tried.value
  if (list.length < 2) return null
  return (
    <section class="card" aria-labelledby="compared-title">
      <h2 id="compared-title">Models so far</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <section class="scroll" aria-label="Table of models" tabIndex={0}>
        <table class="numbers">
          <thead>
            <tr>
              <th scope="col">kernel</th>
              <th scope="col">C, ν, ε</th>
              <th scope="col">scaling</th>
              <th scope="col">evaluated</th>
              <th scope="col">support vectors</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {list.map((one) => (
              <Row key={one} one={one} />
            ))}
          </tbody>
        </table>
      </section>
    </section>
  )
}

function Row({ one }: { readonly one: Learned }) {
  const { settings, file } = one.chosen
  const { problem, C, nu, epsilon } = settings
  const supports = one.picture.coefficients.reduce((count, value) => count + (value === 0 ? 0 : 1), 0)
  const parameters =
    problem === 'nu-svc'
      ? `ν ${formatNumber(nu)}`
      : `C ${formatNumber(C)}${problem === 'svr' ? `, ε ${formatNumber(epsilon)}` : ''}`
  return (
    <tr>
      <th scope="row">{kernelCode(settings.kernel)}</th>
      <td>
        {parameters}
        {file.balanced && problem === 'svc' ? ', balanced' : ''}
      </td>
      <td>{file.scaler}</td>
      <td>
        {one.targets
          ? `R² ${formatNumber(one.targets.r2, 4)}`
          : `${(100 * one.accuracy).toFixed(2)}% correct`}
      </td>
      <td>{supports}</td>
      <td>
        <button type="button" onClick={() => change({ fileModel: settings, file })}>
          Use again
        </button>
      </td>
    </tr>
  )
}
