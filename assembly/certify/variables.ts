/**
 * Which variables of a dual point what is measured of it can hang on: of very many, few. src/certify/dual-measures.ts measures, and
 * has the notation. It shares nothing with the solvers.
 *
 * A variable is given by its row (the first `rows` have one each, those behind them the same again), its target, β, bounds, and its
 * group, of which there are two; `groups` is 0 where all are in the first.
 */
/** What t_i − g_i rounds, of its parts: 2^−52. */
const ROUNDING_OF_V: f64 = 2.220446049250313e-16

/** In bytes, where the row of variable `i` is. */
// @ts-ignore: decorator
@inline
function rowAt(i: u32, rows: u32): usize {
  return <usize>(i < rows ? i : i - rows) << 3
}

/** What raising β gains beyond v. */
// @ts-ignore: decorator
@inline
function rise(beta: f64, upper: f64, tube: f64): f64 {
  return beta < upper ? (beta >= 0 ? -tube : tube) : -Infinity
}

/** What lowering β costs beyond v. */
// @ts-ignore: decorator
@inline
function fall(beta: f64, lower: f64, tube: f64): f64 {
  return beta > lower ? (beta > 0 ? -tube : tube) : Infinity
}

/** Lists the variables that may be where m or M of their group is, and returns how many these are. */
export function listDecisive(
  count: u32,
  rows: u32,
  values: usize,
  errors: usize,
  targets: usize,
  betas: usize,
  lowers: usize,
  uppers: usize,
  groups: usize,
  tube: f64,
  list: usize,
): u32 {
  // The least that m can be, and the most that M can be, of either group.
  let m0 = -Infinity
  let m1 = -Infinity
  let M0 = Infinity
  let M1 = Infinity
  let found: u32 = 0
  for (let pass = 0; pass < 2; pass++) {
    for (let i: u32 = 0; i < count; i++) {
      const own = <usize>i << 3
      const row = rowAt(i, rows)
      const target = load<f64>(targets + own)
      const value = load<f64>(values + row)
      const beta = load<f64>(betas + own)
      const v = target - value
      const error = load<f64>(errors + row) + ROUNDING_OF_V * (Math.abs(target) + Math.abs(value))
      const up = v + rise(beta, load<f64>(uppers + own), tube)
      const low = v + fall(beta, load<f64>(lowers + own), tube)
      const isFirst = groups == 0 || load<u8>(groups + i) == 0
      if (pass == 0) {
        if (isFirst) {
          if (up - error > m0) m0 = up - error
          if (low + error < M0) M0 = low + error
        } else {
          if (up - error > m1) m1 = up - error
          if (low + error < M1) M1 = low + error
        }
      } else if (up + error - (isFirst ? m0 : m1) >= 0 || (isFirst ? M0 : M1) - (low - error) >= 0) {
        store<u32>(list + (<usize>found << 2), i)
        found++
      }
    }
  }
  return found
}

/** Lists the variables whose term of the gap is not 0 for every row within its error, and returns how many these are. */
export function listGapTerms(
  count: u32,
  rows: u32,
  values: usize,
  errors: usize,
  targets: usize,
  betas: usize,
  lowers: usize,
  uppers: usize,
  groups: usize,
  tube: f64,
  shift: f64,
  otherShift: f64,
  list: usize,
): u32 {
  let found: u32 = 0
  for (let i: u32 = 0; i < count; i++) {
    const own = <usize>i << 3
    const row = rowAt(i, rows)
    const target = load<f64>(targets + own)
    const value = load<f64>(values + row)
    const beta = load<f64>(betas + own)
    const isFirst = groups == 0 || load<u8>(groups + i) == 0
    const s = target - value - (isFirst ? shift : otherShift)
    const off = load<f64>(errors + row) + ROUNDING_OF_V * (Math.abs(target) + Math.abs(value))
    if (s - off > tube && beta == load<f64>(uppers + own) && beta >= 0) continue
    if (s + off < -tube && beta == load<f64>(lowers + own) && beta <= 0) continue
    if (beta == 0 && s + off <= tube && s - off >= -tube) continue
    store<u32>(list + (<usize>found << 2), i)
    found++
  }
  return found
}
