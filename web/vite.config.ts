/** How the Lab is built: static files that work from any folder of any server. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { documents } from './build/documents.ts'
import { offline } from './build/offline.ts'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

export default defineConfig({
  root: path('.'),
  base: './',
  logLevel: 'warn',
  // What `hyperplane lab` sends too: it lets the page use threads.
  server: {
    headers: {
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    },
  },
  resolve: {
    alias: [
      {
        find: /.*\/engine\/memory\/all-builds\.ts$/,
        replacement: path('../src/engine/memory/vector-builds.ts'),
      },
    ],
  },
  plugins: [documents(path('../docs')), offline(path('./public'))],
  build: {
    target: 'esnext',
    outDir: path('../dist/lab'),
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    // Figures are drawn with the page's own documents: what stands in for them elsewhere is left out.
    rolldownOptions: { checks: { pluginTimings: false }, external: ['linkedom/worker'] },
  },
  worker: { format: 'es', rolldownOptions: { checks: { pluginTimings: false } } },
})
