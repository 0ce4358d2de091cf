/**
 * A plane is drawn on four sheets that lie over each other, so that only what changes is drawn again: the field, one pixel
 * a node and stretched by whoever puts the sheets together; lines; points; and the marks on points.
 */

/** What can be drawn on: on the page, or for a file. */
export type SheetCanvas = HTMLCanvasElement | OffscreenCanvas
/** See {@link SheetCanvas}. */
export type SheetContext = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D

/** See the head of the file; from the back to the front. */
export interface Sheets {
  readonly field: SheetContext
  readonly lines: SheetContext
  readonly points: SheetContext
  readonly marks: SheetContext
}

/** The sheets of four canvases. The field covers all below it, the others are clear where nothing is drawn. */
export function sheetsOn(canvases: readonly SheetCanvas[]): Sheets {
  const [field, lines, points, marks] = canvases.map(
    (canvas, k) => canvas.getContext('2d', { alpha: k > 0 }) as SheetContext,
  )
  return { field, lines, points, marks }
}

/** Gives the sheets a size in pixels; what was on them is gone. The field's size is that of its grid. */
export function resizeSheets({ lines, points, marks }: Sheets, width: number, height: number): void {
  for (const { canvas } of [lines, points, marks]) {
    canvas.width = Math.max(1, Math.round(width))
    canvas.height = Math.max(1, Math.round(height))
  }
}

/**
 * Where the image of a field lies, in units of the size of the plane: its outermost nodes, which are the middles of its
 * outermost pixels, are at the rim.
 */
export function fieldPlace(columns: number, rows: number) {
  return {
    left: -0.5 / (columns - 1),
    top: -0.5 / (rows - 1),
    width: columns / (columns - 1),
    height: rows / (rows - 1),
  }
}
