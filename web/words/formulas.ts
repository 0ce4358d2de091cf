/** Formulas that explanations and the story share. Each is MathML. */
import { frac, gap, group, n, norm, o, over, row, sub, sum, sup, text, v } from './math.ts'

/** x, y and α with an index. */
export const xOf = (index: string) => sub(v('x'), v(index))
/** See {@link xOf}. */
export const yOf = (index: string) => sub(v('y'), v(index))
/** See {@link xOf}. */
export const alphaOf = (index: string) => sub(v('α'), v(index))
/** f(x_i) */
const fOf = (index: string) => row(v('f'), group(xOf(index)))
/** k(a, b) */
const kernelOf = (a: string, b: string) => row(v('k'), group(a, o(','), b))
const bracket = (sign: string) => `<mo stretchy="false">${sign}</mo>`
const halfNorm = row(frac(n(1), n(2)), sup(norm(v('w')), n(2)))
const least = over('min', row(v('w'), o(','), v('b')))

/** 2 / ‖w‖ */
export const width = row(text('width of the street'), o('='), frac(n(2), norm(v('w'))))

/** The hard margin. */
export const hardMargin = row(least, halfNorm, gap, text('with'), gap, yOf('i'), fOf('i'), o('≥'), n(1))

/** ½‖w‖² + C Σ ξ */
export const primal = row(least, halfNorm, o('+'), v('C'), sum(v('i')), sub(v('ξ'), v('i')))

/** ξ of a point. */
export const slack = row(
  sub(v('ξ'), v('i')),
  o('='),
  v('max'),
  group(n(0), o(','), n(1), o('−'), yOf('i'), fOf('i')),
)

/** w from the multipliers. */
export const wOfAlpha = row(v('w'), o('='), sum(v('i')), alphaOf('i'), yOf('i'), xOf('i'))

/** Σ y α = 0 */
export const balance = row(sum(v('i')), yOf('i'), alphaOf('i'), o('='), n(0))

/** 0 ≤ α ≤ C */
export const box = row(n(0), o('≤'), alphaOf('i'), o('≤'), v('C'))

/** The three cases of a point. */
export const cases = [
  row(alphaOf('i'), o('='), n(0), o('⇒'), yOf('i'), fOf('i'), o('≥'), n(1)),
  row(n(0), o('<'), alphaOf('i'), o('<'), v('C'), o('⇒'), yOf('i'), fOf('i'), o('='), n(1)),
  row(alphaOf('i'), o('='), v('C'), o('⇒'), yOf('i'), fOf('i'), o('≤'), n(1)),
]

/** x ↦ (x, x²) */
export const lift = row(
  v('x'),
  o('↦'),
  v('φ'),
  group(v('x')),
  o('='),
  group(v('x'), o(','), sup(v('x'), n(2))),
)

/** e^(−γ‖x − z‖²) */
export const gaussian = row(
  kernelOf(v('x'), v('z')),
  o('='),
  sup(v('e'), row(o('−'), v('γ'), sup(norm(row(v('x'), o('−'), v('z'))), n(2)))),
)

/** f from the multipliers. */
export const expansion = row(
  v('f'),
  group(v('x')),
  o('='),
  sum(v('i')),
  yOf('i'),
  alphaOf('i'),
  kernelOf(xOf('i'), v('x')),
  o('+'),
  v('b'),
)

/** The step of a pair, before it is clipped. */
export const pairStep = row(
  sup(alphaOf('j'), text('new')),
  o('='),
  alphaOf('j'),
  o('+'),
  frac(row(yOf('j'), group(sub(v('E'), v('i')), o('−'), sub(v('E'), v('j')))), v('η')),
)

/** Where it is clipped to. */
export const clipped = row(text('clipped to'), gap, bracket('['), v('L'), o(','), v('H'), bracket(']'))

/** η of a pair. */
export const eta = row(
  v('η'),
  o('='),
  sub(v('K'), v('ii')),
  o('+'),
  sub(v('K'), v('jj')),
  o('−'),
  n(2),
  sub(v('K'), v('ij')),
)

/** The step size of sub-gradient methods. */
export const stepSize = row(sub(v('η'), v('t')), o('='), frac(n(1), row(v('λ'), v('t'))))

/** λ from C. */
export const lambda = row(v('λ'), o('='), frac(n(1), row(v('n'), v('C'))))

/** One machine per pair of classes. */
export const machines = row(text('machines'), o('='), frac(row(v('k'), group(v('k'), o('−'), n(1))), n(2)))

/** The loss of regression. */
export const tubeLoss = row(
  v('max'),
  group(n(0), o(','), o('|'), yOf('i'), o('−'), fOf('i'), o('|'), o('−'), v('ε')),
)

/** What ν bounds. */
export const nuBounds = row(text('outside'), o('≤'), v('ν'), o('≤'), text('support vectors'))
