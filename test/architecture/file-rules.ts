/** Rules about the files of src/ themselves. */
import type { ModuleGraph } from './module-graph.ts'

/** More lines than this are more than one thing. */
export const mostLines = 600
/** More files than this in one folder hide what it holds: topics within it become folders. */
export const mostFiles = 18
/** `src/` itself holds the entries of the package, a file for each and each platform that it needs: no topics, a list. */
export const mostEntries = 24

/** Every breach: names that are not kebab-case, crowded or deep folders, long files, a drawer for leftovers, hidden state. */
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
    if (folders.length > 2) breaches.push(`${path}: src/ has two levels of folders`)
    if (lines > mostLines) breaches.push(`${path}: ${lines} lines, at most ${mostLines}`)
    if (words.some((word) => /^(utils?|helpers?|common|misc)$/.test(word))) {
      breaches.push(`${path}: name it after what it holds`)
    }
    if (/^(export )?let /m.test(text)) breaches.push(`${path}: state of the process is kept in a slot`)
  }
  for (const [folder, files] of filesByFolder(graph)) {
    const most = folder === 'src' ? mostEntries : mostFiles
    if (files > most) breaches.push(`${folder}: ${files} files, at most ${most}`)
  }
  return breaches
}

function filesByFolder(graph: ModuleGraph): Map<string, number> {
  const counts = new Map<string, number>()
  for (const path of graph.keys()) {
    const folder = path.slice(0, path.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return counts
}
