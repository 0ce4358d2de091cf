import { slot } from '../../base/slot.ts'

/** How notes and messages of readers name the options that help. */
export interface OptionWords {
  readonly header: string
  readonly noHeader: string
  readonly label: string
  readonly zeroBased: string
  readonly ids: string
  readonly drop: string
}

/** The names of a program, unless the command line installs its flags. */
export const optionWords = slot<OptionWords>({
  header: 'header: true',
  noHeader: 'header: false',
  label: 'labelColumn',
  zeroBased: 'indexBase: 0',
  ids: "columns: { … : 'category' } or 'ignored'",
  drop: "fill: 'drop'",
})
