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
      'The solid line is where the decision value f is 0, the dashed ones where it is −1 and +1. Of all lines that part ' +
        'the classes, the machine looks for the one with the widest street between the dashed lines.',
      'Only the ringed points, the support vectors, hold the line where it is: take any other away and nothing changes.',
    ],
    formulas: [row(text('width'), o('='), frac(n(2), norm(v('w'))))],
    theory: 'primal-and-dual.html#the-margin',
  },
  slack: {
    title: 'What the rings and short lines say',
    words: [
      'A solid ring: on the margin. A dashed ring: inside it, but on the right side. A thick coloured ring: on the ' +
        'wrong side. The short line is the slack ξ, the way back to the margin.',
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
      'C is the price of slack. A small C buys a wide, calm margin and lets some points stand inside it. A large C ' +
        'insists on every point, and bends the boundary to please it.',
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
      'ν is a share: at most so many of the points may break the margin, and at least so many become support vectors. ' +
        'It takes the place of the price C.',
    ],
    theory: 'more-problems.html#ν-svc',
  },
  tube: {
    title: 'What the tube is',
    words: [
      'Errors smaller than ε cost nothing: points inside the tube have no say. Those outside pull the curve, each with ' +
        'a force of at most C.',
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
      'A kernel measures how alike two points are. It stands for an inner product in a space of more dimensions, where ' +
        'a flat boundary may look curved from here. A Gaussian with a large γ sees only near neighbours; with a small ' +
        'one it is almost a straight line.',
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
      'All solvers look for the same optimum; they differ in the steps they take. The tolerance says when a solution is ' +
        'good enough: the largest violation of the optimality conditions that is left.',
    ],
    theory: 'smo.html#convergence',
  },
  lift: {
    title: 'Why lift?',
    words: [
      'No single cut of the line parts −1 and 1 from 0. Give each point a second coordinate, x², and one straight line ' +
        'does. A kernel does this without writing the new coordinates down.',
    ],
    formulas: [row(v('x'), o('↦'), group(v('x'), o(','), sup(v('x'), n(2))))],
    theory: 'primal-and-dual.html#an-example-by-hand',
  },
  certificate: {
    title: 'What the certificate says',
    words: [
      'The optimum lies between two numbers that anyone can compute: the primal value of this model, and the dual value ' +
        'of its multipliers. Their difference, the gap, is how much better any model could be at most.',
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
      'Each sample has an opinion on the bias. b_up is the lowest of those that want it higher, b_low the highest of those ' +
        'that want it lower. While b_low is above b_up, two samples disagree and a step can be taken. When the curves meet ' +
        'within the tolerance, the solution is optimal.',
    ],
    formulas: [row(sub(v('b'), text('low')), o('≤'), sub(v('b'), text('up')), o('+'), text('tol'))],
    theory: 'kkt.html#the-violation',
  },
  line: {
    title: 'How the line moves',
    words: [
      'A sub-gradient step shrinks w a little and pulls it towards samples that break the margin. The step size falls as ' +
        '1/t, so the line swings widely at first and then settles.',
    ],
    formulas: [
      row(
        v('w'),
        o('←'),
        group(n(1), o('−'), sub(v('η'), v('t')), v('λ')),
        v('w'),
        o('+'),
        sub(v('η'), v('t')),
        sum(row(v('i'), text(' breaks'))),
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
      'With the bias in the norm there is no balance to keep, so one multiplier can move alone: to the lowest point of its ' +
        'parabola, clipped to [0, C].',
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
      'The same data and settings for all. Curves fall: how far each solver still is from what it looks for, against its ' +
        'steps or its time. One step of an SMO solver moves two multipliers; one epoch of the others visits every sample.',
    ],
    theory: 'smo.html#convergence',
  },
  tune: {
    title: 'How to read the two maps',
    words: [
      'Left: the share of samples predicted right when they were held out. Right: the same for samples the model was ' +
        'trained on. Where the right map is bright and the left one is not, the model has learned the noise by heart.',
    ],
    theory: 'kernels.html#the-gaussian-and-its-width',
  },
  projection: {
    title: 'What the picture shows of many features',
    words: [
      'The model uses all features. The picture is a slice: it shows the decision value on the plane through the mean of ' +
        'the data along two directions. Points that lie far off the plane may seem to be on the wrong side.',
    ],
    theory: 'notation.html#the-problem',
  },
  roc: {
    title: 'What the ROC curve says',
    words: [
      'Move the threshold of the decision value, and watch how many of each class are called positive. The area is the ' +
        'chance that a positive sample gets a higher value than a negative one.',
    ],
    theory: 'more-problems.html#probabilities',
  },
} as const satisfies Record<string, Topic>

/** Name of an explanation. */
export type TopicName = keyof typeof topics
