/** More than two classes: one machine for each pair, and how they vote. */
import { Tick } from '../controls/fields.tsx'
import { glance, state } from '../state/store.ts'
import { Explain } from '../words/explain.tsx'
import { inspected } from './inspected.ts'
import { type Shown, shown } from './live.ts'
import { Mark } from './mark.tsx'

/** See the header of the file. */
export function VotesCard() {
  const now = shown.value
  if (!now?.picture.votes) return null
  const index = inspected.value
  const isKnown = index >= 0 && index < now.points.length
  return (
    <section class="card votes" aria-labelledby="votes-title">
      <div class="spread">
        <h2 id="votes-title">{isKnown ? `Votes for point ${index + 1}` : 'Votes of the pairs'}</h2>
        <Tick
          label="Show the votes on the plane"
          checked={state.value.votes}
          onChange={(votes) => glance({ votes })}
        />
      </div>
      {isKnown ? (
        <PointVotes now={now} index={index} />
      ) : (
        <p class="quiet">Point at a point, or go to it with N, to see who votes for what.</p>
      )}
      <Explain topic="votes" />
    </section>
  )
}

function PointVotes({ now, index }: { readonly now: Shown; readonly index: number }) {
  const { votes = new Uint8Array(0), classes } = now.picture
  const own = votes.subarray(index * classes.length, (index + 1) * classes.length)
  const most = Math.max(...own)
  const winners = classes.filter((_, k) => own[k] === most)
  const { c } = now.points[index]
  const result = winners[0] === c ? 'correct' : 'wrong'
  return (
    <>
      <dl class="facts tight">
        {classes.map((name, k) => (
          <div key={name}>
            <dt>
              <Mark shape={name} /> class {name + 1}
            </dt>
            <dd>
              {own[k]} of {classes.length - 1}
            </dd>
          </div>
        ))}
      </dl>
      <p>
        {winners.length > 1
          ? `A tie: the first of the classes with ${most} votes wins, class ${winners[0] + 1}.`
          : `Class ${winners[0] + 1} wins.`}{' '}
        The point is of class {c + 1}: {result}.
      </p>
    </>
  )
}
