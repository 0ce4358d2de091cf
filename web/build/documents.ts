/** Renders docs/ into the build, so that explanations can point to the theory without a network. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import { Marked, Renderer } from 'marked'
import type { Plugin } from 'vite'
import { initialState } from '../state/lab-state.ts'
import { toLink } from '../state/link.ts'
import { figureStates } from './figure-states.ts'
import { formulas } from './formulas.ts'

/** Every page of docs/ as `docs/….html`, and its figures beside it. */
export function documents(folder: string): Plugin {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
  const pages = new Set(paths.filter((path) => path.endsWith('.md')))
  return {
    name: 'documents',
    apply: 'build',
    async generateBundle() {
      const links = await figureLinks()
      for (const path of paths) {
        const fileName = `docs/${path.replace(/\.md$/, '.html')}`
        if (pages.has(path)) {
          const text = readFileSync(join(folder, path), 'utf8')
          this.emitFile({ type: 'asset', fileName, source: renderPage(path, text, pages, links) })
        } else if (path.endsWith('.svg')) {
          this.emitFile({ type: 'asset', fileName, source: readFileSync(join(folder, path)) })
        }
      }
    },
  }
}

/** One page; links to other pages go to their rendered form, links out of docs/ become plain text. */
export function renderPage(
  path: string,
  text: string,
  pages: ReadonlySet<string>,
  links: ReadonlyMap<string, string> = new Map(),
): string {
  const used = new Map<string, number>()
  const top = posix.relative(dirname(`docs/${path}`), '.') || '.'
  const marked = new Marked(formulas(), {
    renderer: {
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens)
        return `<h${depth} id="${slug(inner, used)}">${inner}</h${depth}>\n`
      },
      // What scrolls sideways must be reached by the keyboard.
      code({ text: code, lang }) {
        const name = lang ? ` class="language-${lang.split(' ')[0]}"` : ''
        return `<pre tabindex="0"><code${name}>${escapeHtml(code)}\n</code></pre>\n`
      },
      table(token) {
        const table = Renderer.prototype.table.call(this, token)
        return `<div class="table" role="region" aria-label="Table" tabindex="0">${table}</div>\n`
      },
      image({ href, text: alt }) {
        const link = path.startsWith('theory/') ? links.get(posix.basename(href)) : undefined
        const image = `<img src="${href}" alt="${escapeHtml(alt)}">`
        return link ? `${image}<br><a href="${top}/index.html#${link}">Open in the Lab</a>` : image
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        const target = linkTarget(path, href, pages)
        return target === undefined ? inner : `<a href="${target}">${inner}</a>`
      },
    },
  })
  const title = /^# (.*)$/m.exec(text)?.[1] ?? path
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Hyperplane</title>
<link rel="icon" href="${top}/icon.svg" type="image/svg+xml">
<style>${style}</style>
<nav>${navigation(top)}</nav>
<main>
${marked.parse(text)}</main>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** The part of the address after `#` for each figure. */
async function figureLinks(): Promise<ReadonlyMap<string, string>> {
  const entries = Object.entries(figureStates).map(
    async ([name, part]) => [name, await toLink({ state: { ...initialState, ...part } })] as const,
  )
  return new Map(await Promise.all(entries))
}

/** Where a reader may go from any page. */
const parts = {
  'Hyperplane Lab': 'index.html',
  'Getting started': 'docs/guide/getting-started.html',
  Theory: 'docs/theory/README.html',
  'API reference': 'docs/api/README.html',
}

function navigation(top: string): string {
  return Object.entries(parts)
    .map(([name, path]) => `<a href="${top}/${path}">${name}</a>`)
    .join(' · ')
}

function linkTarget(from: string, href: string, pages: ReadonlySet<string>): string | undefined {
  if (/^(https?:|#)/.test(href)) return href
  const [file, anchor] = href.split('#')
  const target = posix.join(dirname(from), file)
  if (!pages.has(target)) return undefined
  return `${file.replace(/\.md$/, '.html')}${anchor ? `#${anchor}` : ''}`
}

/** The anchor of a heading, as code hosts make it. */
function slug(heading: string, used: Map<string, number>): string {
  const plain = heading
    .replace(/<[^>]*>/g, '')
    .replace(/&[^;]*;/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
  const before = used.get(plain) ?? 0
  used.set(plain, before + 1)
  return before === 0 ? plain : `${plain}-${before}`
}

const style = `
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 48rem; padding: 1.5rem; font: 1rem/1.6 system-ui, sans-serif; color: light-dark(#1b2129, #e7ebf0); background: light-dark(#fff, #14181d); }
a { color: light-dark(#0a5aa8, #6cb4f0); }
pre, code { font-family: ui-monospace, Menlo, monospace; font-size: .9em; }
pre { overflow-x: auto; padding: 1rem; border-radius: 8px; background: light-dark(#f1f3f6, #232a32); }
.table { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: .35rem .7rem; border-bottom: 1px solid light-dark(#d5dbe2, #323a44); text-align: left; vertical-align: top; }
img { max-width: 100%; }
.formula { overflow-x: auto; overflow-y: hidden; padding: .3rem 0; }
`
