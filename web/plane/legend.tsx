/** What is what on the plane. */
import { state } from '../state/store.ts'
import { Explain } from '../words/explain.tsx'

/** See the head of the file. */
export function Legend() {
  const { mode, settings } = state.value
  const { problem } = settings
  // Slack is drawn where the plane is that of all features, and at rest.
  const hasSlack = mode === 'plane' || mode === 'tune'
  if (problem === 'regression') {
    return (
      <div class="legend">
        <Sample kind="boundary" text="f(x)" />
        <Sample kind="margin" text="tube, f ± ε" />
        <Sample kind="on-margin" text="on the tube" />
        <Sample kind="inside" text="beyond the tube" />
        <Sample kind="slack" text="slack ξ" />
      </div>
    )
  }
  return (
    <div class="legend">
      <Sample kind="boundary" text={problem === 'one-class' ? 'boundary' : 'boundary, f = 0'} />
      {problem !== 'one-class' && <Sample kind="margin" text="margins, f = ±1" />}
      <Sample kind="on-margin" text={problem === 'one-class' ? 'on the boundary' : 'on the margin'} />
      {problem !== 'one-class' && <Sample kind="inside" text="inside" />}
      <Sample kind="misclassified" text={problem === 'one-class' ? 'outside' : 'wrong side'} />
      {hasSlack && problem !== 'one-class' && <Sample kind="slack" text="slack ξ" />}
    </div>
  )
}

/** The explanations of the picture. */
export function PictureWords() {
  const { problem } = state.value.settings
  if (problem === 'regression') return <Explain topic="tube" />
  if (problem === 'one-class') return null
  return (
    <>
      <Explain topic="margin" />
      <Explain topic="slack" />
    </>
  )
}

type Kind = 'boundary' | 'margin' | 'slack' | 'on-margin' | 'inside' | 'misclassified'

function Sample({ kind, text }: { readonly kind: Kind; readonly text: string }) {
  const isLine = kind === 'boundary' || kind === 'margin' || kind === 'slack'
  return (
    <span>
      <svg viewBox="0 0 22 16" width="22" height="16" aria-hidden="true" class={`sample ${kind}`}>
        {isLine ? <path d="M1 8h20" /> : <circle cx="11" cy="8" r="6" />}
      </svg>
      {text}
    </span>
  )
}
