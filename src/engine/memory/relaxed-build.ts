/**
 * The build with relaxed SIMD. It differs from the one with SIMD in some hundred places, so it comes as edits of that: a few kilobytes
 * instead of a tenth of a megabyte.
 */
import { relaxedEdits, simd } from './engine-binaries.ts'
import { base64Bytes } from './engine-build.ts'

/** Its bytes: those of the build `simd` with the edits (scripts/binary-edits.js) made. */
export function relaxedBuild(): Uint8Array<ArrayBuffer> {
  const from = base64Bytes.current(simd)
  const longer = relaxedEdits.reduce((sum, [, dropped, ...put]) => sum + put.length - dropped, 0)
  const bytes = new Uint8Array(from.length + longer)
  let at = 0
  let done = 0
  for (const [kept, dropped, ...put] of relaxedEdits) {
    bytes.set(from.subarray(at, at + kept), done)
    bytes.set(put, done + kept)
    at += kept + dropped
    done += kept + put.length
  }
  bytes.set(from.subarray(at), done)
  return bytes
}
