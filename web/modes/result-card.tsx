/** What was learned, in numbers: margin, support vectors, certificate. */
import type { Certificate } from '../../src/index.ts'
import { Fact } from '../controls/fact.tsx'
import { formatNumber } from '../controls/fields.tsx'
import { PictureWords } from '../plane/legend.tsx'
import { shown } from '../plane/live.ts'
import { Explain } from '../words/explain.tsx'
import { type Picture, positionNumber } from '../worker/messages.ts'

const stopped: Readonly<Record<Certificate['stopReason'], string>> = {
  converged: 'converged',
  stalled: 'not converged: steps no longer make progress',
  unbounded: 'no solution: the classes cannot be separated',
  'iteration-limit': 'not converged: stopped at the iteration limit',
  'time-limit': 'not converged: stopped at the time limit',
  aborted: 'not converged: cancelled',
}

/** See the header of the file. */
export function ResultCard() {
  const { picture } = shown.value ?? {}
  return (
    <section class="card results" aria-label="Result">
      {picture ? <Facts picture={picture} /> : <p class="quiet">Nothing trained yet.</p>}
      <div class="explanations">
        <PictureWords />
        <Explain topic="certificate" />
      </div>
    </section>
  )
}

/** The numbers of a picture. The scores are those on the points that the model was trained on, and say so. */
export function Facts({ picture }: { readonly picture: Picture }) {
  const { certificates, coefficients, marginWidth, score, kind, positions, heldOut } = picture
  const supports = coefficients.reduce((count, c) => count + (c === 0 ? 0 : 1), 0)
  // Of points held out nothing is said here.
  const wrong = positions.filter(
    (position, i) => position === positionNumber('misclassified') && !heldOut?.[i],
  ).length
  const seen = heldOut ? heldOut.filter((flag) => flag === 0).length : coefficients.length
  const [certificate] = certificates
  const reason = certificates.find(({ stopReason }) => stopReason !== 'converged') ?? certificate
  return (
    <>
      <dl class="facts">
        {kind === 'binary' && <Fact name="Margin width" value={formatNumber(marginWidth, 4)} />}
        <Fact name="Support vectors" value={`${supports} of ${seen}`} />
        {kind === 'regression' ? (
          <Fact name="R², training points" value={formatNumber(score, 4)} />
        ) : (
          <Fact
            name={kind === 'one-class' ? 'Inside, training points' : 'Correct, training points'}
            value={`${(100 * score).toFixed(1)}%`}
            note={kind === 'binary' ? `${wrong} on the wrong side` : undefined}
          />
        )}
        {certificates.length === 1 ? (
          <>
            <Fact name="Primal" value={formatNumber(certificate.primal, 6)} />
            <Fact name="−Dual" value={formatNumber(-certificate.dual, 6)} />
            <Fact
              name="Gap"
              value={formatNumber(Math.max(0, certificate.gap), 2)}
              note={`${shareOf(certificate)} of the primal value`}
            />
          </>
        ) : (
          <>
            <Fact name="Machines" value={String(certificates.length)} note="one per pair" />
            <Fact
              name="Largest gap"
              value={formatNumber(Math.max(0, ...certificates.map(({ gap }) => gap)), 2)}
            />
          </>
        )}
        <Fact
          name="Stop"
          value={stopped[reason.stopReason]}
          note={`${reason.iterations} iterations of ${reason.solver}`}
          wide={reason.stopReason !== 'converged'}
        />
      </dl>
      <GapWords certificates={certificates} />
    </>
  )
}

/** What a gap that is no small share of the primal value means, although the run converged. */
function GapWords({ certificates }: { readonly certificates: readonly Certificate[] }) {
  const wide = certificates.find(
    ({ stopReason, gap, primal }) => stopReason === 'converged' && gap > WIDE_GAP * Math.abs(primal),
  )
  if (!wide) return null
  return (
    <p class="problem">
      The largest violation is within the tolerance, so the run has converged. But the gap is {shareOf(wide)}{' '}
      of the primal value: with penalties and kernel values of this size the tolerance leaves the optimum open
      that far. Choose a smaller tolerance, C or γ to learn more.
    </p>
  )
}

/** A gap above this share of the primal value is worth a word: at the default tolerance it is a few per mille. */
const WIDE_GAP = 0.02

function shareOf({ gap, primal }: Certificate): string {
  const share = Math.max(0, gap) / Math.abs(primal)
  return Number.isFinite(share) ? `${formatNumber(100 * share, 2)}%` : '—'
}
