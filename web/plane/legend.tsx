/** What is what on the plane. */
import type { SolverWords } from '../controls/solver-names.ts'
import { state } from '../state/store.ts'
import { Explain } from '../words/explain.tsx'
import type { Picture } from '../worker/messages.ts'
import { heldOutShare } from './held-out.ts'
import { shown } from './live.ts'
import { Mark } from './mark.tsx'

/** See the head of the file: for what was trained, with slack where it is drawn. */
export function Legend(props: {
  readonly kind: Picture['kind']
  readonly withSlack?: boolean
  /** Of two classes, the ones called −1 and +1. */
  readonly signs?: readonly number[] | undefined
  readonly hasHollow?: boolean
}) {
  const { kind, withSlack = true, signs, hasHollow = false } = props
  if (kind === 'regression') {
    return (
      <div class="legend">
        <Sample kind="boundary" text="f(x)" />
        <Sample kind="margin" text="tube, f ± ε" />
        <Sample kind="on-margin" text="on the tube" />
        <Sample kind="inside" text="beyond the tube" />
        {withSlack && <Sample kind="slack" text="slack ξ" />}
      </div>
    )
  }
  const oneClass = kind === 'one-class'
  return (
    <div class="legend">
      {kind === 'binary' && signs && (
        <>
          <span>
            <Mark shape={signs[1]} /> y = +1
          </span>
          <span>
            <Mark shape={signs[0]} /> y = −1
          </span>
        </>
      )}
      {hasHollow && (
        <span>
          <svg viewBox="0 0 22 16" width="22" height="16" aria-hidden="true" class="sample">
            <circle cx="11" cy="8" r="4" />
          </svg>
          hollow: held out
        </span>
      )}
      <Sample kind="boundary" text={kind === 'binary' ? 'boundary, f = 0' : 'boundary'} />
      {kind === 'binary' && <Sample kind="margin" text="margins, f = ±1" />}
      <Sample kind="on-margin" text={oneClass ? 'on the boundary' : 'on the margin'} />
      {!oneClass && <Sample kind="inside" text="inside" />}
      <Sample kind="misclassified" text={oneClass ? 'outside' : 'wrong side'} />
      {kind === 'binary' && withSlack && <Sample kind="slack" text="slack ξ" />}
    </div>
  )
}

/** The legend of a run: what is true of the multipliers at every step. */
export function RunLegend({ moves }: { readonly moves: SolverWords['moves'] }) {
  return (
    <div class="legend">
      <Sample kind="boundary" text="f = 0" />
      <Sample kind="margin" text="f = ±1" />
      {moves === 'line' ? (
        <Sample kind="on-margin" text="has a weight in w" />
      ) : (
        <>
          <Sample kind="on-margin" text="0 < α < C: on the margin at the optimum" />
          <Sample kind="inside" text="α = C" />
          <Sample kind="misclassified" text="α = C, wrong side of f = 0" />
        </>
      )}
    </div>
  )
}

/** The legend of the plane that trains live. */
export function LiveLegend() {
  const { kind = 'binary', classes } = shown.value?.picture ?? {}
  return <Legend kind={kind} signs={classes} hasHollow={heldOutShare.value > 0} />
}

/** The explanations of the picture. */
export function PictureWords() {
  const { problem } = state.value.settings
  if (problem === 'svr') return <Explain topic="tube" />
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
