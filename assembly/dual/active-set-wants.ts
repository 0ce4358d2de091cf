/**
 * Who leaves a bound in a cycle of ./active-set.ts: those that most want to are listed, and become free unless those before them have
 * changed their mind.
 */
import { rowOf } from './cholesky'
import {
  ABOVE,
  BELOW,
  beginRows,
  FIXED,
  groupOf,
  haveRows,
  makeSide,
  projectOut,
  release,
} from './active-set-factor'
import { ActiveSet, FOUR, mostFreed, mostWanted } from './active-set-memory'
import { f64At, setF64, setU32, u32At } from './memory'
import { fallLanes, fallOf, riseLanes, riseOf } from './rates'

/**
 * What is worth freeing a variable for, of tol: half of what the violation of all variables should come down to. Tried
 * (./active-set-memory.ts): 0.1 and 0.5 took 15 and 5 % longer.
 */
const WORTH_FREEING: f64 = 0.25
/** Rows that are requested where not all may be needed: kernel rows in f64 come in eights. */
const EIGHT: i32 = 8

/**
 * y anew, from v as it is now; and a list of who at a bound most wants to leave it, those first that want to most. Where two are
 * alike, the earlier one comes first.
 */
export function listWants(set: ActiveSet): void {
  const state = set.state
  const n = set.count
  const size = state.freeCount
  makeSide(set)
  set.state.work += 8.0 * <f64>n
  const tube = set.tube
  const wants = set.wants
  const wishes = set.wishes
  const kinds = set.kinds
  const lower = set.lower
  const upper = set.upper
  const beta = set.beta
  const v = set.v
  const groups = set.groups
  const lambda = state.lambda
  const otherLambda = state.otherLambda
  const most = mostWanted(size)
  let limit = WORTH_FREEING * set.tol
  let found = 0
  for (let i = 0; i < n; i++) {
    if (ASC_FEATURE_SIMD) {
      // Most want nothing: these are passed over.
      while (groups == 0 && i + 2 <= n) {
        const at = <usize>i << 3
        const b = v128.load(beta + at)
        const excess = f64x2.sub(v128.load(v + at), f64x2.splat(lambda))
        const rise = f64x2.add(excess, riseLanes(b, v128.load(upper + at), tube))
        const fall = f64x2.neg(f64x2.add(excess, fallLanes(b, v128.load(lower + at), tube)))
        if (v128.any_true(f64x2.gt(f64x2.pmax(rise, fall), f64x2.splat(limit)))) break
        i += 2
      }
      if (i >= n) break
    }
    if (load<u8>(kinds + i) != FIXED) continue
    const b = f64At(beta, i)
    const excess = f64At(v, i) - (groups && load<u8>(groups + i) != 0 ? otherLambda : lambda)
    const rise = excess + riseOf(b, f64At(upper, i), tube)
    const fall = -(excess + fallOf(b, f64At(lower, i), tube))
    const wish = max(rise, fall)
    if (!(wish > limit)) continue
    if (found < most) found++
    // The last one makes room, and the new one goes up to its place.
    let place = found - 1
    for (; place > 0 && abs(f64At(wishes, place - 1)) < wish; place--) {
      setU32(wants, place, u32At(wants, place - 1))
      setF64(wishes, place, f64At(wishes, place - 1))
    }
    setU32(wants, place, i)
    setF64(wishes, place, rise > fall ? rise : -fall)
    if (found == most) limit = abs(f64At(wishes, most - 1))
  }
  state.wantCount = found
  state.tried = 0
  state.freed = 0
}

/** Whether all of the list were tried, or as many are free as a cycle may free. */
export function hasTried(set: ActiveSet): bool {
  return set.state.tried == set.state.wantCount || set.state.freed >= mostToFree(set)
}

function mostToFree(set: ActiveSet): i32 {
  const before = set.state.freeCount - set.state.freed
  return min(mostFreed(before), set.room - before)
}

/** Frees the next ones of the list that would move as they want to. False when rows are missing. */
export function tryWants(set: ActiveSet): bool {
  const state = set.state
  const tube = set.tube
  const wants = set.wants
  const wishes = set.wishes
  const all = state.wantCount
  const n = state.freeCount
  const most = mostToFree(set)
  let tried = state.tried
  const list = wants + (<usize>tried << 2)
  if (!haveRows(set, list, min(all - tried, EIGHT))) return false
  const some = min(all - tried, FOUR)
  const from = beginRows(set, list, some)
  const L = set.L
  for (let a = 0; a < some && state.freed < most; a++) {
    const i = u32At(list, a)
    const upwards = f64At(wishes, tried++) > 0
    const last = state.freeCount
    if (last < n + a) memory.copy(rowOf(L, last), rowOf(L, n + a), <usize>from << 3)
    const b = f64At(set.beta, i)
    // Alone in its group it cannot move yet.
    const isAlone = !hasFree(set, groupOf(set, i))
    release(set, i, tube > 0 && (upwards ? b < 0 : b <= 0) ? BELOW : ABOVE, from)
    if (isAlone || wouldMove(set, last, upwards)) {
      state.freed++
    } else {
      store<u8>(set.kinds + i, FIXED)
      state.freeCount = last
    }
  }
  state.tried = tried
  return true
}

function hasFree(set: ActiveSet, group: i32): bool {
  const free = set.free
  for (let a = 0; a < set.state.freeCount; a++) {
    if (groupOf(set, u32At(free, a)) == group) return true
  }
  return false
}

/** Whether d of the last free variable has the right sign: the last row of Lᵀ d = w says. */
function wouldMove(set: ActiveSet, last: i32, upwards: bool): bool {
  projectOut(set)
  const w = f64At(set.w, last)
  return upwards ? w > 0 : w < 0
}
