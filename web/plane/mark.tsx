/** The mark of a class beside text: the colour and the shape it has on the plane. */
import type { ClassIndex } from '../state/lab-state.ts'

const shapes: readonly string[] = [
  'M8 1.5 14.5 13h-13Z',
  'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Z',
  'M2.5 2.5h11v11h-11Z',
  'M8 .8 15.2 8 8 15.2.8 8Z',
]

/** See the head of the file. */
export function Mark({ shape }: { readonly shape: ClassIndex }) {
  return (
    <svg viewBox="0 0 16 16" width="13" height="13" aria-hidden="true" class={`mark class-${shape}`}>
      <path d={shapes[shape]} />
    </svg>
  )
}
