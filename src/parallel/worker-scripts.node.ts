/**
 * What threads run that fit. The library that Node loads is one piece that bundlers may copy anywhere: there this file is
 * replaced by one that holds the text of the scripts (scripts/bundle-library.js).
 */
import type { Script } from '../engine/threads/thread-script.node.ts'

/** The script of threads that fit. */
export async function fitScript(): Promise<Script> {
  return new URL('./fit-worker.node.js', import.meta.url)
}

/** The script of threads that fit cells of a search. */
export async function cellScript(): Promise<Script> {
  return new URL('./cell-worker.node.js', import.meta.url)
}
