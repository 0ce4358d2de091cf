// Lets Node run the campaign's TypeScript: types are taken out as a file is loaded, and what a file imports from src/ comes
// from dist/. So the campaign meets the package that is shipped: its threads, its engine, its commands.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { transform } from 'rolldown/utils'

const root = new URL('../../', import.meta.url).href
const sources = `${root}src/`

export async function resolve(specifier, context, next) {
  const { url, ...rest } = await next(shippedFile(specifier, context.parentURL), context)
  return { ...rest, url, shortCircuit: true }
}

function shippedFile(specifier, parent) {
  if (!specifier.startsWith('.') || !parent) return specifier
  const { href } = new URL(specifier, parent)
  return href.startsWith(sources)
    ? `${root}dist/${href.slice(sources.length).replace(/ts$/, 'js')}`
    : specifier
}

export async function load(url, context, next) {
  if (!url.startsWith(root) || !url.endsWith('.ts')) return next(url, context)
  const file = fileURLToPath(url)
  const { code, errors } = await transform(file, await readFile(file, 'utf8'), { sourcemap: false })
  if (errors.length > 0) throw new SyntaxError(`${file}: ${errors[0].message}`)
  return { format: 'module', source: code, shortCircuit: true }
}
