/** The canvas of a plane: it fits its box, is sharp on every screen, and is painted by a worker. */
import { effect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { View } from '../state/lab-state.ts'
import { PaintedPlane } from './painting.ts'
import type { Scene } from './scene.ts'
import { theme } from './theme.ts'
import type { Size } from './view.ts'

/** What {@link PlaneCanvas} needs. */
export interface PlaneCanvasProps {
  /** Reads the signals that the picture depends on, and returns the view. */
  readonly follow: () => View
  /** What is to be seen now. Parts that stay the same objects are not sent to the worker again. */
  readonly scene: () => Scene
  readonly onSize?: (size: Size) => void
}

/** See the header of the file. */
export function PlaneCanvas(props: PlaneCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const current = useRef(props)
  current.current = props
  useEffect(() => {
    const element = canvas.current as HTMLCanvasElement
    let size: Size | undefined
    const plane = new PaintedPlane(
      element,
      () =>
        size && {
          ...current.current.scene(),
          view: current.current.follow(),
          size,
          ratio: devicePixelRatio,
          theme: theme.value,
        },
    )
    const observer = new ResizeObserver(([{ contentRect }]) => {
      const { width, height } = contentRect
      size = width > 0 && height > 0 ? { width, height } : undefined
      current.current.onSize?.({ width, height })
      plane.request()
    })
    observer.observe(element)
    const stop = effect(() => {
      void theme.value
      current.current.follow()
      plane.request()
    })
    return () => {
      stop()
      observer.disconnect()
      plane.close()
    }
  }, [])
  return <canvas ref={canvas} class="sheet" />
}
