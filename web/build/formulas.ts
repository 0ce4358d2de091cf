/** Formulas in Markdown, `$…$` within a line and `$$` on lines around one, as MathML: browsers typeset it themselves. */
import type { MarkedExtension, Tokens } from 'marked'
import temml from 'temml'

const INLINE = /^\$(?![\s$])((?:[^$\n\\]|\\.)*[^$\n\s\\])\$(?!\d)/
const BLOCK = /^\$\$\n([\s\S]+?)\n\$\$(?:\n+|$)/

/** The extension for `marked`. A formula that cannot be read is an error: the build fails. */
export function formulas(): MarkedExtension {
  return {
    extensions: [
      {
        name: 'formulaBlock',
        level: 'block',
        start: (text) => text.match(/^\$\$$/m)?.index,
        tokenizer: (text) => tokenOf('formulaBlock', BLOCK.exec(text)),
        // A long formula scrolls on a narrow screen: the keyboard must reach it.
        renderer: ({ text }: Tokens.Generic) =>
          `<div class="formula" tabindex="0">${mathOf(text, true)}</div>\n`,
      },
      {
        name: 'formula',
        level: 'inline',
        start: (text) => text.match(/\$/)?.index,
        tokenizer: (text) => tokenOf('formula', INLINE.exec(text)),
        renderer: ({ text }: Tokens.Generic) => mathOf(text, false),
      },
    ],
  }
}

function tokenOf(type: string, found: RegExpExecArray | null): Tokens.Generic | undefined {
  return found ? { type, raw: found[0], text: found[1] } : undefined
}

function mathOf(text: string, displayMode: boolean): string {
  return temml.renderToString(text, { displayMode, throwOnError: true, strict: true })
}
