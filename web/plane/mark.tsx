/** The mark of a class beside text: the colour and the shape it has on the plane. */
import { colourOf, shapeOf } from './colours.ts'
import { shapes } from './shapes.ts'

/** See the header of the file; classes go by their numbers. */
export function Mark({ shape: c }: { readonly shape: number }) {
  const corners = shapes[shapeOf(c)]
  return (
    <svg
      viewBox="-1.5 -1.5 3 3"
      width="14"
      height="14"
      aria-hidden="true"
      class={`mark class-${colourOf(c)}`}
    >
      {corners.length === 0 ? (
        <circle r="1.05" />
      ) : (
        <polygon points={corners.map((corner) => corner.join()).join(' ')} />
      )}
    </svg>
  )
}
