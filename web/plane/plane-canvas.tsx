/** The sheets of a plane: they fit their box, are sharp on every screen, and are painted at most once a frame. */
import { effect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { View } from '../state/lab-state.ts'
import { fieldPlace, resizeSheets, type Sheets, sheetsOn } from './sheets.ts'
import { Frame, type Size } from './view.ts'

/** What {@link PlaneCanvas} needs. */
export interface PlaneCanvasProps {
  /** Reads the signals that the painting depends on, and returns the view. */
  readonly follow: () => View
  readonly paint: (sheets: Sheets, frame: Frame) => void
  readonly onSize?: (size: Size) => void
}

/** See the head of the file. */
export function PlaneCanvas({ follow, paint, onSize }: PlaneCanvasProps) {
  const box = useRef<HTMLDivElement>(null)
  const painter = useRef({ follow, paint, onSize })
  painter.current = { follow, paint, onSize }
  useEffect(() => {
    const element = box.current as HTMLDivElement
    const canvases = [...element.querySelectorAll('canvas')]
    const sheets = sheetsOn(canvases)
    let size: Size = { width: 0, height: 0 }
    let due = 0
    let stretched = ''
    const repaint = () => {
      due = 0
      if (size.width === 0) return
      painter.current.paint(sheets, new Frame(painter.current.follow(), size))
      const { width, height } = canvases[0]
      if (stretched === `${width} ${height}`) return
      stretched = `${width} ${height}`
      for (const [name, share] of Object.entries(fieldPlace(width, height))) {
        canvases[0].style.setProperty(name, `${100 * share}%`)
      }
    }
    const schedule = () => {
      due ||= requestAnimationFrame(repaint)
    }
    const observer = new ResizeObserver(([{ contentRect }]) => {
      const { width, height } = contentRect
      size = { width, height }
      resizeSheets(sheets, width * devicePixelRatio, height * devicePixelRatio)
      painter.current.onSize?.(size)
      if (stretched === '') {
        schedule()
        return
      }
      // A new size empties the sheets: paint before that is seen.
      cancelAnimationFrame(due)
      repaint()
    })
    observer.observe(element)
    const stop = effect(() => {
      painter.current.follow()
      schedule()
    })
    return () => {
      stop()
      observer.disconnect()
      cancelAnimationFrame(due)
    }
  }, [])
  return (
    <div ref={box} class="sheets">
      <canvas class="field-sheet" />
      <canvas />
      <canvas />
      <canvas />
    </div>
  )
}
