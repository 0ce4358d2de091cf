/** The file the painting worker runs: planes are painted here, so that however much is on them the page stays free. */
import { drawFigure } from '../export/figure.ts'
import type { FigureRequest, PaintCommand, PaintReport, Shot } from './paint-messages.ts'
import { PlanePainter } from './paint-plane.ts'

/** A plane of the page, and what it shows. */
interface Plane {
  readonly painter: PlanePainter
  readonly context: OffscreenCanvasRenderingContext2D
  shot: Partial<Shot>
}

const planes = new Map<number, Plane>()

addEventListener('message', ({ data }: MessageEvent<PaintCommand>) => {
  switch (data.kind) {
    case 'open': {
      const context = data.canvas.getContext('2d', { alpha: false }) as OffscreenCanvasRenderingContext2D
      planes.set(data.plane, { painter: new PlanePainter(), context, shot: {} })
      break
    }
    case 'paint':
      paint(data.plane, data.changes)
      break
    case 'close':
      planes.delete(data.plane)
      break
    case 'figure':
      void makeFigure(data.figure, data.request)
  }
})

function paint(number: number, changes: Partial<Shot>): void {
  const plane = planes.get(number) as Plane
  // What does not change keeps its identity: by that the painter knows what to draw again.
  plane.shot = { ...plane.shot, ...changes }
  const { view, size, ratio, theme, ...scene } = plane.shot as Shot
  try {
    plane.painter.paint(plane.context, scene, { view, size, ratio, theme })
  } finally {
    report({ kind: 'painted', plane: number })
  }
}

async function makeFigure(figure: number, request: FigureRequest): Promise<void> {
  try {
    report({ kind: 'figure', figure, blob: await drawFigure(request) })
  } catch (error) {
    report({ kind: 'figure', figure, problem: (error as Error).message })
  }
}

function report(message: PaintReport): void {
  postMessage(message)
}
