/** The way into space, and the place of its card. */
import { shown } from '../plane/live.ts'
import { LiftCard, showsLift } from './lift-state.ts'

/** See the header of the file; for machines whose decision value is one surface. */
export function LiftPlace() {
  const { kind } = shown.value?.picture ?? {}
  if (kind !== 'binary' && kind !== 'one-class') return null
  const Loaded = LiftCard.value
  return (
    <>
      <div class="row">
        <button
          type="button"
          aria-pressed={showsLift.value}
          onClick={async () => {
            showsLift.value = !showsLift.value
            LiftCard.value ??= (await import('./lift-card.tsx')).LiftCard
          }}
        >
          {showsLift.value ? 'Hide the space' : 'See it in 3D'}
        </button>
      </div>
      {showsLift.value && Loaded && <Loaded />}
    </>
  )
}
