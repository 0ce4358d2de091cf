/**
 * What helper threads run. The library that Node loads is one piece that bundlers may copy anywhere: there this file is replaced
 * by one that holds the text of the script (scripts/bundle-library.js).
 */

/** What a thread runs: a file, or the text of a script. */
export type Script = URL | string

/** The script of helper threads. */
export const threadScript: Script = new URL('./thread.node.js', import.meta.url)
