/** Bytes that must agree for two places to be taken as the same: fewer are met by chance. */
const AGREEING = 8

/**
 * What makes one list of bytes another one that differs from it in some places: [bytes to keep, bytes to drop, ...bytes to put there] of
 * each place, in order; all that is behind the last one is kept.
 */
export function editsBetween(from, to) {
  const edits = []
  let at = 0
  let done = 0
  for (;;) {
    let kept = 0
    while (at + kept < from.length && from[at + kept] === to[done + kept]) kept++
    if (at + kept === from.length && done + kept === to.length) return edits
    at += kept
    done += kept
    const [dropped, put] = nextAgreement(from, to, at, done)
    edits.push([kept, dropped, ...to.subarray(done, done + put)])
    at += dropped
    done += put
  }
}

/** The fewest bytes to drop here and to put there until both go on alike, or end. */
function nextAgreement(from, to, at, done) {
  const rest = from.length - at + to.length - done
  for (let sum = 1; sum <= rest; sum++) {
    for (
      let dropped = Math.max(0, sum - (to.length - done));
      dropped <= sum && at + dropped <= from.length;
      dropped++
    ) {
      if (agree(from, to, at + dropped, done + sum - dropped)) return [dropped, sum - dropped]
    }
  }
  return [from.length - at, to.length - done]
}

function agree(from, to, at, done) {
  if (from.length - at < AGREEING || to.length - done < AGREEING)
    return from.subarray(at).equals(to.subarray(done))
  for (let k = 0; k < AGREEING; k++) if (from[at + k] !== to[done + k]) return false
  return true
}
