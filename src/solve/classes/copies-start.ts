/**
 * Where the sequential dual method begins. Samples that are equal but for their class cannot all be met: as a rule their α
 * end at their bounds, and as the gradients of equal samples do not depend on how they share what is between them, each visit
 * moves α by about 1 / ‖x̃‖², so that C ‖x̃‖² epochs may pass. On news20, where 351 texts have several classes, they are nine
 * tenths of the optimum with C = 100. So equal samples begin with as much of it as leaves w at 0: each passes what it has to samples of
 * other classes, and each class is passed as much as it passes.
 */
import { countUp } from '../../base/lists.ts'
import { firstEqualRows } from '../../data/matrix/equal-rows.ts'
import type { CrammerSingerProblem } from '../../problems/linear-problem.ts'

/** Writes this α in place of zeros. */
export function startFromCopies(problem: CrammerSingerProblem, alpha: Float64Array): void {
  const { samples, C, y, classes: k } = problem
  const first = firstEqualRows(samples, countUp(samples.rows))
  const groups = new Map<number, number[]>()
  for (let i = 0; i < first.length; i++) {
    if (first[i] === i || C[i] === 0) continue
    const group = groups.get(first[i])
    if (group) group.push(i)
    else groups.set(first[i], C[first[i]] > 0 ? [first[i], i] : [i])
  }
  for (const group of groups.values()) {
    group.sort((a, b) => y[a] - y[b] || a - b)
    shareOut(group, problem, (i, m, part) => {
      alpha[i * k + y[i]] = Math.min(C[i], alpha[i * k + y[i]] + part)
      alpha[i * k + m] -= part
    })
  }
}

/**
 * In a circle of what the samples have to pass, class after class, each passes to what is half the circle away. No class has
 * more than half of it, so that is another one.
 */
function shareOut(
  group: readonly number[],
  { C, y, classes: k }: CrammerSingerProblem,
  pass: (i: number, m: number, part: number) => void,
): void {
  const totals = new Float64Array(k)
  for (const i of group) totals[y[i]] += C[i]
  const largest = totals.indexOf(totals.reduce((a, b) => Math.max(a, b)))
  const others = totals.reduce((sum, total, m) => (m === largest ? sum : sum + total), 0)
  if (others === 0) return
  let room = Math.min(totals[largest], others)
  const half = 0.5 * (room + others)
  const shares = group.map((i) => {
    if (y[i] !== largest) return C[i]
    const share = Math.min(room, C[i])
    room -= share
    return share
  })
  let to = 0
  let left = shares[0] - half
  while (left <= 0 && to < group.length - 1) left += shares[++to]
  for (const [from, i] of group.entries()) {
    for (let rest = shares[from]; rest > 0; ) {
      const part = Math.min(rest, left)
      if (y[i] !== y[group[to]]) pass(i, y[group[to]], part)
      rest -= part
      left -= part
      if (left > 0) continue
      to = (to + 1) % group.length
      left = shares[to]
    }
  }
}
