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
  hand: 'M12 3v18M3 12h18M12 3 9.5 5.5M12 3l2.5 2.5M12 21l-2.5-2.5M12 21l2.5-2.5M3 12l2.5-2.5M3 12l2.5 2.5M21 12l-2.5-2.5M21 12l-2.5 2.5',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  fit: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  type: 'M3 19 8 6l5 13M4.7 15h6.6M15 19l3-8 3 8M16 17h4',
  screen: 'M9 3H3v6M15 3h6v6M21 15v6h-6M9 21H3v-6M3 3l6 6M21 3l-6 6M21 21l-6-6M3 21l6-6',
  keys: 'M9.2 9a3 3 0 1 1 4.3 2.7c-1 .5-1.5 1.2-1.5 2.3M12 17.5v.1M12 2.5a9.5 9.5 0 1 0 0 19 9.5 9.5 0 0 0 0-19Z',
  reset: 'M4 12a8 8 0 1 0 2.5-5.8M4 4v4.5h4.5',
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

/** A button that is an icon; its name is said and shown on hovering. */
export function IconButton(props: {
  readonly label: string
  readonly icon: IconName
  readonly act: () => void
  readonly disabled?: boolean
  readonly pressed?: boolean
}) {
  const { label, icon, act, disabled = false, pressed } = props
  return (
    <button
      type="button"
      class="icon"
      aria-label={label}
      aria-pressed={pressed}
      title={label}
      disabled={disabled}
      onClick={act}
    >
      <Icon name={icon} />
    </button>
  )
}
