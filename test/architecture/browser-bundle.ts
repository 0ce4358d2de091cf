/** What a bundler for browsers makes of a file: the modules it takes in, packages included. */
import { isBuiltin } from 'node:module'
import { build, type Plugin } from 'vite'

/** What {@link bundleForBrowser} found. */
export interface BrowserBundle {
  /** Paths of all modules in the bundle. */
  readonly modules: readonly string[]
  /** Node modules that something requested and that no package stands in for, as `importer → module`. */
  readonly missing: readonly string[]
}

/** Bundles a file, in memory, the way a web page would. */
export async function bundleForBrowser(path: string): Promise<BrowserBundle> {
  const missing: string[] = []
  const modules: string[] = []
  const recorder: Plugin = {
    name: 'recorder',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!isBuiltin(source)) return null
      const found = source.startsWith('node:')
        ? null
        : await this.resolve(source, importer, { skipSelf: true })
      // A package may say that it does without the module in browsers; Vite marks what is missing with its name.
      if (!found || found.id.includes('browser-external:')) missing.push(`${importer} → ${source}`)
      return null
    },
    moduleParsed({ id }) {
      modules.push(id)
    },
  }
  await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [recorder],
    build: { write: false, minify: false, rollupOptions: { input: path, preserveEntrySignatures: 'strict' } },
  })
  return { modules, missing }
}
