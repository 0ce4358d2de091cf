/** The samples of the file and the model, on a plane through the features. */
import { useRef } from 'preact/hooks'
import type { FileResult } from '../files/file-messages.ts'
import { PlaneCanvas } from '../plane/plane-canvas.tsx'
import type { Scene } from '../plane/scene.ts'
import type { View } from '../state/lab-state.ts'
import type { Grid } from '../worker/messages.ts'

/** See the header of the file. */
export function FilePlane({ result }: { readonly result: FileResult }) {
  const size = useRef({ width: 1, height: 1 })
  return (
    <div class="plane still">
      <PlaneCanvas
        key={result}
        follow={() => viewOfGrid(result.picture.grid, size.current.width / size.current.height)}
        scene={() => sceneOf(result)}
        onSize={(next) => {
          size.current = next
        }}
      />
    </div>
  )
}

/** The scene that shows a result. */
export function sceneOf({ picture, points }: FileResult): Scene {
  return { points, field: picture, picture, plain: picture.kind === 'regression' }
}

/** The view that shows exactly a grid. */
export function viewOfGrid({ x, y }: Grid, aspect: number): View {
  const half = (y[1] - y[0]) / 2
  return {
    x: (x[0] + x[1]) / 2,
    y: (y[0] + y[1]) / 2,
    half,
    stretch: (x[1] - x[0]) / (y[1] - y[0]) / aspect,
  }
}
