/** Values picked out of rows: what a working set needs of kernel rows that are there. */

/**
 * targets[r][to_c] = sources[r][from_c] for r < count, c < width. `sources` and `targets` point to u32 pointers; `columns` to
 * pairs of byte offsets:
 *
 *     [from_0 to_0] [from_1 to_1] …      u32
 */
export function pickColumns(
  sources: usize,
  targets: usize,
  count: i32,
  columns: usize,
  width: i32,
): void {
  const end = columns + (<usize>width << 3)
  for (let r: usize = 0; r < <usize>count << 2; r += 4) {
    const source = <usize>load<u32>(sources + r)
    const target = <usize>load<u32>(targets + r)
    for (let c = columns; c < end; c += 8) {
      store<f32>(target + <usize>load<u32>(c, 4), load<f32>(source + <usize>load<u32>(c)))
    }
  }
}

/** Entries of a tile of {@link mirror}: rows lie 2 KB apart, and more than this many would not stay in the cache. */
const MIRROR: i32 = 8

/** K[b][a] = K[a][b] for b < known <= a < count: the columns of new variables in the rows of those that were there. */
export function mirror(m: i32, K: usize, known: i32, count: i32): void {
  for (let tileA = known; tileA < count; tileA += MIRROR) {
    const endA = min(count, tileA + MIRROR)
    for (let tileB = 0; tileB < known; tileB += MIRROR) {
      const endB = min(known, tileB + MIRROR)
      for (let b = tileB; b < endB; b++) {
        for (let a = tileA; a < endA; a++) {
          store<f32>(K + (<usize>(b * m + a) << 2), load<f32>(K + (<usize>(a * m + b) << 2)))
        }
      }
    }
  }
}
