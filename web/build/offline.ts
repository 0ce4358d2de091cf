/** Writes the service worker that keeps every file of the build, so that the Lab works offline once loaded. */
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import type { Plugin } from 'vite'

/** `offline.js`, with the names of all files and a version that changes with their content. */
export function offline(publicFolder: string): Plugin {
  return {
    name: 'offline',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const hash = createHash('sha256')
      const files = Object.values(bundle).sort((a, b) => (a.fileName < b.fileName ? -1 : 1))
      for (const file of files) {
        hash.update(file.fileName).update(file.type === 'chunk' ? file.code : file.source)
      }
      const names = [...files.map(({ fileName }) => fileName), ...readdirSync(publicFolder)]
      const version = hash.digest('hex').slice(0, 16)
      const source = workerCode(version, ['./', ...names])
      this.emitFile({ type: 'asset', fileName: 'offline.js', source })
    },
  }
}

function workerCode(version: string, files: readonly string[]): string {
  return `// Keeps the files of the Lab; made by web/build/offline.ts.
const name = 'hyperplane-lab-${version}'
const files = ${JSON.stringify(files)}

addEventListener('install', (event) => {
  skipWaiting()
  event.waitUntil(caches.open(name).then((cache) => cache.addAll(files)))
})

addEventListener('activate', (event) => {
  const forget = (keys) =>
    Promise.all(keys.filter((key) => key.startsWith('hyperplane-lab-') && key !== name).map((key) => caches.delete(key)))
  event.waitUntil(caches.keys().then(forget).then(() => clients.claim()))
})

// Pages come from the network while there is one, so that a new version is seen; files whose names hold their content
// come from the cache.
addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return
  const kept = () => caches.match(request, { ignoreSearch: true })
  event.respondWith(
    request.mode === 'navigate'
      ? fetch(request).catch(async () => (await kept()) ?? Response.error())
      : kept().then((found) => found ?? fetch(request)),
  )
})
`
}
