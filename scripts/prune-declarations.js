// Removes the declarations that no public type leads to: half of the files that the compiler writes, and none that an editor would open.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** What a declaration names of other files: imports, exports, and types of modules. */
const otherFile = /(?:from|import)\s*\(?\s*['"](\.[^'"]+)\.[jt]s['"]/g

/** Leaves in dist/ the declarations of the package's entries, and all that these lead to. */
export function pruneDeclarations(root) {
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  const kept = new Set(entriesOf(exports).map((entry) => resolve(root, entry)))
  // A set that grows is visited to its end.
  for (const file of kept) {
    for (const [, other] of readFileSync(file, 'utf8').matchAll(otherFile)) {
      kept.add(`${resolve(dirname(file), other)}.d.ts`)
    }
  }
  for (const name of readdirSync(`${root}dist`, { recursive: true })) {
    const file = resolve(root, 'dist', name)
    if (file.endsWith('.d.ts') && !kept.has(file)) rmSync(file)
  }
}

/** The declarations that `exports` of package.json names, however deep. */
function entriesOf(exports) {
  if (typeof exports === 'string') return exports.endsWith('.d.ts') ? [exports] : []
  return Object.values(exports).flatMap(entriesOf)
}
