/** How the Lab is built: static files that work from any folder of any server. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  logLevel: 'warn',
  build: {
    target: 'esnext',
    outDir: '../dist/lab',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
  },
  worker: { format: 'es' },
})
