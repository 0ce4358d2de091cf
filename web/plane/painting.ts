/** The page's side of the worker that paints. */
import type { FigureRequest, PaintCommand, PaintReport, Shot } from './paint-messages.ts'

// Started with the page: the first picture should not wait for it.
const worker = new Worker(new URL('./paint-worker.ts', import.meta.url), { type: 'module' })
const planes = new Map<number, PaintedPlane>()
const figures = new Map<number, (report: PaintReport & { kind: 'figure' }) => void>()
let lastNumber = 0

/** How many shots were painted on any plane, and the last of them: what is seen, for measuring. */
export const painted: { count: number; shot: Shot | undefined } = { count: 0, shot: undefined }

worker.addEventListener('message', ({ data }: MessageEvent<PaintReport>) => {
  if (data.kind === 'painted') planes.get(data.plane)?.onPainted()
  else {
    figures.get(data.figure)?.(data)
    figures.delete(data.figure)
  }
})

function send(command: PaintCommand, transfer: Transferable[] = []): void {
  worker.postMessage(command, transfer)
}

/** A canvas that the worker paints on, one shot at a time: shots that come while it paints wait, and the last one counts. */
export class PaintedPlane {
  private readonly number = ++lastNumber
  private readonly take: () => Shot | undefined
  private sent: Partial<Shot> = {}
  private isPainting = false
  private isDue = false

  /** Takes the canvas over; `take` says what is to be seen, if anything, when a shot is due. */
  constructor(canvas: HTMLCanvasElement, take: () => Shot | undefined) {
    this.take = take
    const offscreen = canvas.transferControlToOffscreen()
    planes.set(this.number, this)
    send({ kind: 'open', plane: this.number, canvas: offscreen }, [offscreen])
  }

  /** Shows what is to be seen now, as soon as the worker is free. */
  request(): void {
    if (this.isPainting) this.isDue = true
    else this.shoot()
  }

  /** The worker is done with the shot. */
  onPainted(): void {
    painted.count++
    painted.shot = this.sent as Shot
    this.isPainting = false
    if (this.isDue) this.shoot()
  }

  /** Gives the canvas up. */
  close(): void {
    planes.delete(this.number)
    send({ kind: 'close', plane: this.number })
  }

  private shoot(): void {
    this.isDue = false
    const shot = this.take()
    if (!shot) return
    const { sent } = this
    const names = new Set([...Object.keys(sent), ...Object.keys(shot)]) as Set<keyof Shot>
    const changes = [...names].filter((name) => shot[name] !== sent[name])
    if (changes.length === 0) return
    this.sent = shot
    this.isPainting = true
    send({
      kind: 'paint',
      plane: this.number,
      changes: Object.fromEntries(changes.map((name) => [name, shot[name]])),
    })
  }
}

/** A scene as a file. */
export function makeFigure(request: FigureRequest): Promise<Blob> {
  const figure = ++lastNumber
  return new Promise((resolve, reject) => {
    figures.set(figure, ({ blob, problem }) => (blob ? resolve(blob) : reject(new Error(problem))))
    send({ kind: 'figure', figure, request })
  })
}
