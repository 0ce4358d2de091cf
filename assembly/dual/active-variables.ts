/**
 * What the block solver does with all active variables between two rounds. v + up is the rate at which raising a variable gains,
 * v + low what lowering it costs; see ./pair-loop.ts.
 */
import { f64At, setF64, setU32, u32At } from './memory'
import { fallOf, riseOf } from './rates'

/** up and low of every variable, from where β is in its box. */
export function setRates(count: i32, beta: usize, lower: usize, upper: usize, tube: f64, up: usize, low: usize): void {
  for (let k = 0; k < count; k++) {
    const b = f64At(beta, k)
    setF64(up, k, riseOf(b, f64At(upper, k), tube))
    setF64(low, k, fallOf(b, f64At(lower, k), tube))
  }
}

/** v = target − g of every variable; returns the dual value ½ βᵀg − tᵀβ + ε Σ |β|. */
export function takeValues(count: i32, target: usize, g: usize, beta: usize, tube: f64, v: usize): f64 {
  let sum = 0.0
  for (let k = 0; k < count; k++) {
    const b = f64At(beta, k)
    const t = f64At(target, k)
    const own = t - f64At(g, k)
    setF64(v, k, own)
    sum += tube * Math.abs(b) - 0.5 * b * (t + own)
  }
  return sum
}

/**
 * Lists the positions of the variables that could move if they wanted to, ascending, and returns how many these are. `extremes` are
 * those of each group (./select-working-set.ts); `groups` is 0 where there is one only.
 */
export function listBusy(
  count: i32,
  v: usize,
  up: usize,
  low: usize,
  groups: usize,
  extremes: usize,
  list: usize,
): i32 {
  let found = 0
  for (let k = 0; k < count; k++) {
    const own = groups != 0 && load<u8>(groups + k) != 0 ? extremes + 32 : extremes
    const x = f64At(v, k)
    const isIdle = x + f64At(up, k) < load<f64>(own, 8) && x + f64At(low, k) > load<f64>(own)
    if (isIdle) continue
    setU32(list, found++, k)
  }
  return found
}

/** Of the arrays of all variables, only what belongs to the listed ones (ascending) stays. */
export function keepListed(
  list: usize,
  count: i32,
  active: usize,
  v: usize,
  up: usize,
  low: usize,
  groups: usize,
): void {
  for (let k = 0; k < count; k++) {
    const from = u32At(list, k)
    setU32(active, k, u32At(active, from))
    setF64(v, k, f64At(v, from))
    setF64(up, k, f64At(up, from))
    setF64(low, k, f64At(low, from))
    if (groups != 0) store<u8>(groups + k, load<u8>(groups + from))
  }
}
