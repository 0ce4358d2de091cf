/** The short explanations beside each thing: a title, words, a formula, and where the theory has more. */
import { frac, gap, group, n, norm, o, over, row, sub, sum, sup, text, v } from './math.ts'

/** One explanation. */
export interface Topic {
  readonly title: string
  readonly words: readonly string[]
  /** MathML. */
  readonly formulas?: readonly string[]
  /** Page and section of docs/theory. */
  readonly theory: string
}

const xi = (index: string) => sub(v('x'), v(index))
const yi = (index: string) => sub(v('y'), v(index))
const alpha = (index: string) => sub(v('α'), v(index))
const kernelOf = (a: string, b: string) => row(v('k'), group(a, o(','), b))

/** All explanations by name. */
export const topics = {
  margin: {
    title: 'What the margin is',
    words: [
      'On the solid line the decision value f is 0; on the dashed lines it is −1 and +1. Of all lines that separate the ' +
        'classes, the machine finds the one with the widest margin between the dashed lines.',
      'Only the ringed points, the support vectors, determine the line: removing any other point changes nothing.',
    ],
    formulas: [row(text('width'), o('='), frac(n(2), norm(v('w'))))],
    theory: 'primal-and-dual.html#the-margin',
  },
  slack: {
    title: 'What the rings and short lines mean',
    words: [
      'A solid ring: on the margin. A dashed ring: inside it, but on the right side. A thick coloured ring: on the ' +
        'wrong side. The short line is the slack ξ, drawn to the margin.',
    ],
    formulas: [
      row(
        sub(v('ξ'), v('i')),
        o('='),
        v('max'),
        group(n(0), o(','), n(1), o('−'), yi('i'), v('f'), group(xi('i'))),
      ),
    ],
    theory: 'kkt.html#the-cases-of-a-sample',
  },
  C: {
    title: 'What C trades',
    words: [
      'C is the penalty for slack. A small C gives a wide margin and a smooth boundary, with some points inside the ' +
        'margin. A large C bends the boundary to fit every point.',
    ],
    formulas: [
      row(
        over('min', row(v('w'), o(','), v('b'))),
        frac(n(1), n(2)),
        sup(norm(v('w')), n(2)),
        o('+'),
        v('C'),
        sum(v('i')),
        sub(v('ξ'), v('i')),
      ),
    ],
    theory: 'primal-and-dual.html#what-c-trades',
  },
  nu: {
    title: 'What ν means',
    words: [
      'ν is a fraction: at most this fraction of the points violates the margin, and at least this fraction becomes ' +
        'support vectors. It replaces the penalty C.',
    ],
    theory: 'more-problems.html#ν-svc',
  },
  tube: {
    title: 'What the tube is',
    words: [
      'Errors smaller than ε cost nothing: points inside the tube do not affect the curve. Points outside pull it, each ' +
        'with a force of at most C.',
    ],
    formulas: [
      row(
        v('max'),
        group(n(0), o(','), o('|'), yi('i'), o('−'), v('f'), group(xi('i')), o('|'), o('−'), v('ε')),
      ),
    ],
    theory: 'more-problems.html#ε-svr',
  },
  kernel: {
    title: 'What the kernel does',
    words: [
      'A kernel measures how similar two points are. It is an inner product in a space of more dimensions. A flat ' +
        'boundary in that space can be curved on this plane. A Gaussian with a large γ depends only on close neighbours; ' +
        'with a small γ the boundary is almost a straight line.',
    ],
    formulas: [
      row(
        v('f'),
        group(v('x')),
        o('='),
        sum(v('i')),
        yi('i'),
        alpha('i'),
        kernelOf(xi('i'), v('x')),
        o('+'),
        v('b'),
      ),
      row(
        text('Gaussian:'),
        gap,
        kernelOf(v('x'), v('z')),
        o('='),
        sup(v('e'), row(o('−'), v('γ'), sup(norm(row(v('x'), o('−'), v('z'))), n(2)))),
      ),
    ],
    theory: 'kernels.html#feature-maps',
  },
  solver: {
    title: 'What solver and tolerance change',
    words: [
      'All solvers look for the same optimum; they differ in the steps they take. The tolerance determines when a ' +
        'solution is good enough: it bounds the largest remaining violation of the optimality conditions.',
    ],
    theory: 'smo.html#convergence',
  },
  lift: {
    title: 'Why lift?',
    words: [
      'No single threshold on the line separates −1 and 1 from 0. Give each point a second coordinate, x², and one ' +
        'straight line does. A kernel does this without computing the new coordinates.',
    ],
    formulas: [row(v('x'), o('↦'), group(v('x'), o(','), sup(v('x'), n(2))))],
    theory: 'primal-and-dual.html#an-example-by-hand',
  },
  certificate: {
    title: 'What the certificate means',
    words: [
      'The optimum lies between two numbers that anyone can compute: the primal value of this model, and the dual value ' +
        'of its multipliers. Their difference, the gap, is the most by which any model could be better.',
    ],
    formulas: [row(o('−'), text('dual'), o('≤'), text('optimum'), o('≤'), text('primal'))],
    theory: 'primal-and-dual.html#the-certificate',
  },
  box: {
    title: 'Why the box, and why the diagonal',
    words: [
      'Both multipliers must stay between 0 and C: the box. The balance of the classes allows them to move along one ' +
        'diagonal only, from L to H. On it the dual is a parabola; its lowest point is the step, clipped to the box.',
    ],
    formulas: [
      row(
        sup(sub(v('α'), v('j')), text('new')),
        o('='),
        alpha('j'),
        o('+'),
        frac(row(yi('j'), group(sub(v('E'), v('i')), o('−'), sub(v('E'), v('j')))), v('η')),
      ),
      row(
        v('η'),
        o('='),
        sub(v('K'), v('ii')),
        o('+'),
        sub(v('K'), v('jj')),
        o('−'),
        n(2),
        sub(v('K'), v('ij')),
      ),
    ],
    theory: 'smo.html#the-box-and-its-segment',
  },
  bounds: {
    title: 'What b_up and b_low do',
    words: [
      'Each sample bounds −b. b_up is the smallest of the upper bounds, b_low the largest of the lower bounds. ' +
        'While b_low is above b_up, two samples contradict each other, and a step can be taken. When the curves meet ' +
        'within the tolerance, the solution is optimal.',
    ],
    formulas: [row(sub(v('b'), text('low')), o('≤'), sub(v('b'), text('up')), o('+'), text('tol'))],
    theory: 'kkt.html#the-violation',
  },
  line: {
    title: 'How the line moves',
    words: [
      'A sub-gradient step shrinks w slightly and pulls it towards samples that violate the margin. The step size ' +
        'decreases like 1/t, so the line swings widely at first and then settles.',
    ],
    formulas: [
      row(
        v('w'),
        o('←'),
        group(n(1), o('−'), sub(v('η'), v('t')), v('λ')),
        v('w'),
        o('+'),
        sub(v('η'), v('t')),
        sum(row(v('i'), text(' violates'))),
        sub(v('p'), v('i')),
        yi('i'),
        xi('i'),
      ),
      row(sub(v('η'), v('t')), o('='), frac(n(1), row(v('λ'), v('t')))),
    ],
    theory: 'primal-and-dual.html#steps-on-the-primal',
  },
  coordinate: {
    title: 'One multiplier at a time',
    words: [
      'With the bias in the norm there is no balance constraint, so one multiplier can move alone: to the lowest point ' +
        'of its parabola, clipped to [0, C].',
    ],
    formulas: [
      row(
        alpha('i'),
        o('←'),
        text('clip'),
        group(
          alpha('i'),
          o('−'),
          frac(sub(v('G'), v('i')), sub(v('K'), v('ii'))),
          o(','),
          n(0),
          o(','),
          v('C'),
        ),
      ),
    ],
    theory: 'smo.html#one-variable-at-a-time',
  },
  race: {
    title: 'What is being compared',
    words: [
      'All solvers have the same data and settings. The curves show how far each solver is from its optimum, against ' +
        'steps or time. One step of an SMO solver moves two multipliers; one epoch of the others visits every sample.',
    ],
    theory: 'smo.html#convergence',
  },
  tune: {
    title: 'How to read the two maps',
    words: [
      'Left: the accuracy on held-out samples. Right: the accuracy on the samples that the model was trained on. Where ' +
        'the right map is bright and the left one is not, the model fits the noise.',
    ],
    theory: 'kernels.html#the-gaussian-and-its-width',
  },
  projection: {
    title: 'What the picture shows of many features',
    words: [
      'The model uses all features. The picture is a slice: it shows the decision value on the plane through the mean of ' +
        'the data along two directions. Points far from the plane may seem to be on the wrong side.',
    ],
    theory: 'notation.html#the-problem',
  },
  roc: {
    title: 'What the ROC curve shows',
    words: [
      'The curve shows which fractions of each class are predicted positive as the threshold of the decision value ' +
        'moves. The area is the probability that a positive sample has a higher value than a negative one.',
    ],
    theory: 'more-problems.html#probabilities',
  },
} as const satisfies Record<string, Topic>

/** Name of an explanation. */
export type TopicName = keyof typeof topics
