/** A canvas that fits its box, is sharp on every screen, and repaints at most once a frame. */
import { effect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { View } from '../state/lab-state.ts'
import { Frame, type Size } from './view.ts'

/** What {@link PlaneCanvas} needs. */
export interface PlaneCanvasProps {
  /** Reads the signals that the painting depends on, and returns the view. */
  readonly follow: () => View
  readonly paint: (context: CanvasRenderingContext2D, frame: Frame) => void
  readonly onSize?: (size: Size) => void
}

/** See the head of the file. */
export function PlaneCanvas({ follow, paint, onSize }: PlaneCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const painter = useRef({ follow, paint, onSize })
  painter.current = { follow, paint, onSize }
  useEffect(() => {
    const element = canvas.current as HTMLCanvasElement
    const context = element.getContext('2d', { alpha: false }) as CanvasRenderingContext2D
    let size: Size = { width: 0, height: 0 }
    let due = 0
    const repaint = () => {
      due = 0
      if (size.width === 0) return
      const ratio = element.width / size.width
      context.setTransform(ratio, 0, 0, ratio, 0, 0)
      painter.current.paint(context, new Frame(painter.current.follow(), size))
    }
    const schedule = () => {
      due ||= requestAnimationFrame(repaint)
    }
    const observer = new ResizeObserver(([{ contentRect }]) => {
      const { width, height } = contentRect
      size = { width, height }
      element.width = Math.round(width * devicePixelRatio)
      element.height = Math.round(height * devicePixelRatio)
      painter.current.onSize?.(size)
      // A new size empties the canvas: paint before that is seen.
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
  return <canvas ref={canvas} class="plane-canvas" />
}
