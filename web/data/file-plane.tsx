/** The samples of the file and the model, on a plane through the features. */
import { useRef } from 'preact/hooks'
import { PlanePainter } from '../plane/paint-plane.ts'
import { PlaneCanvas } from '../plane/plane-canvas.tsx'
import { theme } from '../plane/theme.ts'
import type { ClassIndex, Point, View } from '../state/lab-state.ts'
import type { FileResult, Grid } from '../worker/messages.ts'

/** See the head of the file. */
export function FilePlane({ result }: { readonly result: FileResult }) {
  const painter = useRef(new PlanePainter())
  const size = useRef({ width: 1, height: 1 })
  const scene = sceneOf(result)
  return (
    <div class="plane still">
      <PlaneCanvas
        key={result}
        follow={() => {
          void theme.value
          return viewOfGrid(result.picture.grid, size.current.width / size.current.height)
        }}
        paint={(sheets, frame) => {
          size.current = frame.size
          painter.current.paint(sheets, frame, scene, theme.value)
        }}
        onSize={(next) => {
          size.current = next
        }}
      />
    </div>
  )
}

/** The scene that shows a result. */
export function sceneOf({ picture, points: { xy, classes } }: FileResult) {
  const points = Array.from(
    classes,
    (c, i): Point => ({ x: xy[2 * i], y: xy[2 * i + 1], c: c as ClassIndex }),
  )
  return {
    points,
    field: picture,
    picture,
    ...(picture.kind === 'regression' && { problem: 'regression' as const }),
  }
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
