/** Rules about the files of src/ themselves. */
import type { ModuleGraph } from './module-graph.ts'

/** More lines than this are more than one thing. */
export const mostLines = 400

/** Every breach: names that are not kebab-case, folders in folders, files that are too long, a drawer for leftovers. */
export function fileBreaches(graph: ModuleGraph): string[] {
  const breaches: string[] = []
  for (const { path, text } of graph.values()) {
    const [, ...names] = path.split('/')
    const folders = names.slice(0, -1)
    const lines = text.split('\n').length - 1
    const words = names.map((name) => name.replace(/(\.(?:node|browser)|\.d)?\.ts$/, ''))
    if (!words.every((word) => /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(word))) {
      breaches.push(`${path}: names are kebab-case`)
    }
    if (folders.length > 1) breaches.push(`${path}: src/ has one level of folders`)
    if (lines > mostLines) breaches.push(`${path}: ${lines} lines, at most ${mostLines}`)
    if (words.some((word) => /^(utils?|helpers?|common|misc)$/.test(word))) {
      breaches.push(`${path}: name it after what it holds`)
    }
  }
  return breaches
}
