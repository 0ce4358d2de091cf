/**
 * What the box and the tube make of a variable β of the dual (../../problems/general-dual.ts): with v = t − Kβ, raising it gains
 * v + rise, lowering it costs v + fall. All solvers in TypeScript take these from here; assembly/dual/rates.ts is the same for the
 * engine. The certificate has its own on purpose (../../certify/): what checks a solver shares no code with it.
 */

/** The gain of increasing a variable of the common dual, beyond v: ∓ε of the tube, −∞ at the upper bound. */
export function riseOf(beta: number, upper: number, tube: number): number {
  if (!(beta < upper)) return Number.NEGATIVE_INFINITY
  return beta >= 0 ? -tube : tube
}

/** The cost of decreasing a variable of the common dual, beyond v: ∓ε of the tube, +∞ at the lower bound. */
export function fallOf(beta: number, lower: number, tube: number): number {
  if (!(beta > lower)) return Number.POSITIVE_INFINITY
  return beta > 0 ? -tube : tube
}
