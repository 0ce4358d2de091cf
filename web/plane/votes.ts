/** The votes of one-vs-one machines: each pair of classes gives its vote to one of the two. */

/** The pairs of so many classes, by position: (0, 1), (0, 2), …, (1, 2), …. */
export function pairsOf(count: number): readonly (readonly [first: number, second: number])[] {
  const known = made.get(count)
  if (known) return known
  const pairs: [number, number][] = []
  for (let a = 0; a < count; a++) for (let b = a + 1; b < count; b++) pairs.push([a, b])
  made.set(count, pairs)
  return pairs
}

const made = new Map<number, readonly (readonly [number, number])[]>()

/** Writes the votes that each class has at place k of the decision values of all pairs. */
export function countVotes(values: readonly ArrayLike<number>[], k: number, votes: Uint8Array): void {
  votes.fill(0)
  const pairs = pairsOf(votes.length)
  for (let p = 0; p < pairs.length; p++) votes[pairs[p][values[p][k] > 0 ? 0 : 1]]++
}
