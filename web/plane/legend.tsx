/** What is what on the plane. */
import type { SolverWords } from '../controls/solver-names.ts'
import type { ProblemType } from '../state/lab-state.ts'
import { state } from '../state/store.ts'
import { Explain } from '../words/explain.tsx'
import type { Picture } from '../worker/messages.ts'
import { heldOutShare } from './held-out.ts'
import { shown } from './live.ts'
import { Mark } from './mark.tsx'

/** See the header of the file: for what was trained, with slack where it is drawn. */
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
      {hasHollow && <Sample kind="hollow" text="hollow: held out" />}
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
export function RunLegend(props: {
  readonly moves: SolverWords['moves']
  readonly problem: ProblemType
  readonly hasHollow: boolean
  readonly hasShrunk: boolean
  readonly hasOthers: boolean
}) {
  const { moves, problem, hasHollow, hasShrunk, hasOthers } = props
  return (
    <div class="legend">
      {problem === 'svr' ? <TubeRun /> : <LineRun moves={moves} problem={problem} />}
      {hasHollow && <Sample kind="hollow" text="hollow: takes no part" />}
      {hasShrunk && <Sample kind="shrunk" text="pale: shrunk, left out for now" />}
      {hasOthers && <Sample kind="others" text="f = 0 of ten other runs" />}
    </div>
  )
}

function TubeRun() {
  return (
    <>
      <Sample kind="boundary" text="f(x)" />
      <Sample kind="margin" text="tube, f ± ε" />
      <Sample kind="on-margin" text="0 < |β| < C: on the rim at the optimum" />
      <Sample kind="inside" text="|β| = C" />
    </>
  )
}

function LineRun({
  moves,
  problem,
}: {
  readonly moves: SolverWords['moves']
  readonly problem: ProblemType
}) {
  const oneClass = problem === 'one-class'
  const bound = problem === 'svc' ? 'C' : '1'
  return (
    <>
      <Sample kind="boundary" text="f = 0" />
      {!oneClass && <Sample kind="margin" text="f = ±1" />}
      {moves === 'line' ? (
        <Sample kind="on-margin" text="has a weight in w" />
      ) : (
        <>
          <Sample
            kind="on-margin"
            text={`0 < α < ${bound}: on the ${oneClass ? 'boundary' : 'margin'} at the optimum`}
          />
          <Sample kind="inside" text={`α = ${bound}`} />
          <Sample
            kind="misclassified"
            text={`α = ${bound}, ${oneClass ? 'outside' : 'wrong side of f = 0'}`}
          />
        </>
      )}
    </>
  )
}

/** The legend of votes. */
function VotesLegend() {
  return (
    <div class="legend">
      <Sample kind="margin" text="f = 0 of a pair" />
      <span>full colour: wins all its pairs</span>
      <span>pale: most votes, but not all</span>
      <span>stripes: a tie, the first of these classes wins</span>
    </div>
  )
}

/** The legend of the plane that trains live. */
export function LiveLegend() {
  const { kind = 'binary', classes } = shown.value?.picture ?? {}
  if (kind === 'multi' && state.value.votes) return <VotesLegend />
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

type Line = 'boundary' | 'margin' | 'slack' | 'others'
type Kind = Line | 'on-margin' | 'inside' | 'misclassified' | 'hollow' | 'shrunk'
const lines: readonly Kind[] = ['boundary', 'margin', 'slack', 'others'] satisfies Line[]

function Sample({ kind, text }: { readonly kind: Kind; readonly text: string }) {
  const isDot = kind === 'hollow' || kind === 'shrunk'
  return (
    <span>
      <svg viewBox="0 0 22 16" width="22" height="16" aria-hidden="true" class={`sample ${kind}`}>
        {lines.includes(kind) ? <path d="M1 8h20" /> : <circle cx="11" cy="8" r={isDot ? 4 : 6} />}
      </svg>
      {text}
    </span>
  )
}
