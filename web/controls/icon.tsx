/** Icons, drawn with one line width. */

const paths = {
  undo: 'M9 7 4.5 11.5 9 16M5 11.5h8.5a5 5 0 0 1 0 10H11',
  redo: 'm15 7 4.5 4.5L15 16M19 11.5h-8.5a5 5 0 0 0 0 10H13',
  share:
    'M10.5 13.5a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.3 1.3M13.5 10.5a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.3-1.3',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z',
  auto: 'M12 3.5a8.5 8.5 0 1 0 0 17ZM12 3.5a8.5 8.5 0 0 1 0 17',
  play: 'M7 4.5v15l12-7.5Z',
  pause: 'M8 5v14M16 5v14',
  back: 'M17 5v14L8 12ZM6 5v14',
  next: 'M7 5v14l9-7ZM18 5v14',
  start: 'M19 5v14l-8-7ZM11 5v14l-7-7Z',
  end: 'M5 5v14l8-7ZM13 5v14l7-7Z',
  erase: 'm6 18 12-12M6 6l12 12',
} as const

/** Name of an icon. */
export type IconName = keyof typeof paths

/** One icon; what it means must be said beside it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" class="glyph">
      <path d={paths[name]} />
    </svg>
  )
}
