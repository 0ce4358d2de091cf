/** The short explanations beside each thing: a title, words, a formula, and where the theory has more. */
import {
  alphaOf,
  balance,
  clipped,
  eta,
  expansion,
  gaussian,
  lift,
  machines,
  nuBounds,
  pairStep,
  primal,
  slack,
  stepSize,
  tubeLoss,
  width,
  xOf,
  yOf,
} from './formulas.ts'
import { frac, gap, group, n, o, row, sub, sum, sup, text, v } from './math.ts'

/** One explanation. */
export interface Topic {
  readonly title: string
  readonly words: readonly string[]
  /** MathML. */
  readonly formulas?: readonly string[]
  /** Page and section of docs/theory. */
  readonly theory: string
}

/** All explanations by name. */
export const topics = {
  margin: {
    title: 'What the margin is',
    words: [
      'On the solid line the decision value f is 0; on the dashed lines, the margins, it is −1 and +1. If the classes can ' +
        'be separated and slack is expensive, no point lies between the margins, and they are as far apart as possible. ' +
        'Otherwise the machine weighs the width against the slack.',
      'Only the ringed points, the support vectors, determine the line: removing any other point changes nothing. ' +
        'With a kernel the width is measured in its feature space.',
    ],
    formulas: [width],
    theory: 'primal-and-dual.html#the-margin',
  },
  slack: {
    title: 'What the rings and short lines mean',
    words: [
      'A solid ring: on the margin. A dashed ring: inside it, but on the right side. A thick coloured ring: on the ' +
        'wrong side. The short line is the slack ξ, drawn to the margin.',
    ],
    formulas: [slack],
    theory: 'kkt.html#the-cases-of-a-sample',
  },
  cases: {
    title: 'The three cases of a point',
    words: [
      'At the optimum the multiplier α says where a point is. α = 0: outside the margin or on it. 0 < α < C: exactly on ' +
        'the margin. α = C: on the margin, inside it, or on the wrong side.',
      'The multipliers of the two classes balance, because the bias is free.',
    ],
    formulas: [balance],
    theory: 'kkt.html#the-cases-of-a-sample',
  },
  C: {
    title: 'What C trades',
    words: [
      'C is the penalty per unit of slack. A small C gives a wide margin with many points inside it. A large C shrinks ' +
        'the margin until few points are inside; with a flexible kernel the boundary then bends around single points. ' +
        'From some C on, slack cannot decrease any further, and a larger C changes nothing.',
    ],
    formulas: [primal],
    theory: 'primal-and-dual.html#what-c-trades',
  },
  nu: {
    title: 'What ν means',
    words: [
      'ν is a fraction: at most this fraction of the points misses its margin, and at least this fraction becomes ' +
        'support vectors. It replaces the penalty C. It can be at most twice the share of the smaller class.',
    ],
    theory: 'more-problems.html#ν-svc',
  },
  oneClass: {
    title: 'What ν means for one class',
    words: [
      'The machine learns where points usually are, without classes. At most the fraction ν of the points is outside the ' +
        'boundary, and at least this fraction becomes support vectors.',
    ],
    formulas: [nuBounds],
    theory: 'more-problems.html#one-class',
  },
  tube: {
    title: 'What the tube is',
    words: [
      'Errors up to ε cost nothing: points inside the tube do not affect the curve. A point outside the tube has the ' +
        'multiplier C, however far out it is; a point on the rim has one between 0 and C.',
    ],
    formulas: [tubeLoss],
    theory: 'more-problems.html#ε-svr',
  },
  kernel: {
    title: 'What the kernel does',
    words: [
      'A kernel measures how similar two points are. It is an inner product in a space of more dimensions. A flat ' +
        'boundary in that space can be curved on this plane. A Gaussian with a large γ depends only on close neighbours; ' +
        'with a small γ the boundary is almost a straight line.',
    ],
    formulas: [expansion, row(text('Gaussian:'), gap, gaussian)],
    theory: 'kernels.html#feature-maps',
  },
  solver: {
    title: 'What solver and tolerance change',
    words: [
      'The SMO solvers and working sets have the same optimum; they differ in the steps they take. Coordinate ascent and ' +
        'the sub-gradient methods put the bias into the norm, which is a slightly different problem.',
      'The tolerance says when a solution is good enough: it bounds the largest remaining violation of the optimality ' +
        'conditions or, for the sub-gradient methods, the gap as a share of the primal value.',
    ],
    theory: 'smo.html#convergence',
  },
  lift: {
    title: 'Why lift?',
    words: [
      'No single threshold on the line separates −1 and 1 from 0. Give each point a second coordinate, x², and one ' +
        'straight line does. A kernel does this without computing the new coordinates.',
    ],
    formulas: [lift],
    theory: 'primal-and-dual.html#an-example-by-hand',
  },
  certificate: {
    title: 'What the certificate means',
    words: [
      'The optimum lies between two numbers that anyone can compute: the primal value of this model, and the dual value ' +
        'of its multipliers. Their difference, the gap, is the most by which the primal value could still be improved.',
      'A run stops when the violation is within the tolerance. The gap is then at most the violation times the sum of all ' +
        'penalties, which may still be a large share of the primal value: where C or the kernel values are huge, ask for ' +
        'a smaller tolerance. For a function that is not a kernel, such as some sigmoids, the numbers bound nothing.',
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
    formulas: [pairStep, clipped, eta],
    theory: 'smo.html#the-box-and-its-segment',
  },
  tubeStep: {
    title: 'What is different for a curve',
    words: [
      'A sample may pull the curve up or down, so its multiplier has a sign: β = α − α*. α is its size, and a step may ' +
        'end at 0, where the sign would change.',
      'The error E is the value of the curve without the bias, minus the target, plus ε where the sample pulls up and ' +
        'minus ε where it pulls down.',
    ],
    theory: 'more-problems.html#one-form-for-all',
  },
  nuStep: {
    title: 'What is different with ν',
    words: [
      'The multipliers are at most 1, and their sum is fixed: ν times the number of samples, half of it for each class ' +
        'where there are two. So a step takes from one sample what it gives to another, of the same class where there ' +
        'are classes. Labels play no other part: E is the decision value without the bias.',
    ],
    theory: 'more-problems.html#one-form-for-all',
  },
  shrinking: {
    title: 'What shrinking does',
    words: [
      'A sample at a bound that cannot be part of a violating pair now will probably not be for a while. It is left out ' +
        'of the search and of the updates, and drawn pale. Before a run may end all samples return and are checked, so ' +
        'shrinking saves time and never changes the result.',
    ],
    theory: 'smo.html#shrinking',
  },
  others: {
    title: 'Why ten more runs',
    words: [
      'A step of Pegasos looks at one sample drawn at random, so its direction is right on average only. The faint lines ' +
        'are ten runs with other seeds, after the same number of steps: they differ in nothing but what was drawn. They ' +
        'spread widely at first, and gather as the step size falls like 1/t.',
    ],
    theory: 'primal-and-dual.html#steps-on-the-primal',
  },
  w: {
    title: 'How w moves',
    words: [
      'With a linear kernel w is an arrow of the plane, at a right angle to the line f = 0. Coordinate ascent adds a ' +
        'multiple of one sample, so each move is parallel to the arrow from the origin to that sample. A sub-gradient step ' +
        'also shrinks w.',
    ],
    formulas: [
      row(
        v('w'),
        o('←'),
        v('w'),
        o('+'),
        group(sup(alphaOf('i'), text('new')), o('−'), alphaOf('i')),
        yOf('i'),
        xOf('i'),
      ),
    ],
    theory: 'smo.html#one-variable-at-a-time',
  },
  pair: {
    title: 'Why a pair of classes',
    words: [
      'Several classes are learned one pair at a time: each machine sees the samples of its two classes alone. The points ' +
        'of the other classes are hollow: they take no part in this run.',
    ],
    theory: 'more-problems.html#several-classes',
  },
  votes: {
    title: 'How the machines vote',
    words: [
      'Each of the k (k − 1) / 2 pairs of classes has a machine, trained on these two classes alone. On one side of its ' +
        'dashed line it votes for one of them, on the other side for the other. The class with the most votes wins.',
      'A class that wins all of its k − 1 pairs has full colour; fewer votes are paler. Where several classes have the most ' +
        'votes, their colours are striped, and the first of them wins.',
    ],
    formulas: [machines],
    theory: 'more-problems.html#several-classes',
  },
  bounds: {
    title: 'What b_up and b_low do',
    words: [
      'Let F be the decision value of a sample without the bias, minus its label. A sample whose y α may increase asks ' +
        'for −b ≤ F; b_up is the smallest of these F. A sample whose y α may decrease asks for −b ≥ F; b_low is the ' +
        'largest of these.',
      'While b_low is above b_up, no b satisfies both samples, and a step on them lowers the dual. Once b_low exceeds ' +
        'b_up by at most the tolerance, the run may end, and −b lies where the curves meet.',
      'For a curve, F also contains ε: plus ε for a multiplier that pulls up, minus ε for one that pulls down. For one ' +
        'class there are no labels, and −b is ρ, the value on the boundary.',
    ],
    formulas: [
      row(
        sub(v('b'), text('low')),
        o('≤'),
        o('−'),
        v('b'),
        o('≤'),
        sub(v('b'), text('up')),
        gap,
        text('at the optimum'),
      ),
    ],
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
        yOf('i'),
        xOf('i'),
      ),
      stepSize,
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
        alphaOf('i'),
        o('←'),
        text('clip'),
        group(
          alphaOf('i'),
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
      'All solvers have the same data and settings. The curves show the gap of each solver, a bound on how far it is from ' +
        'its optimum, against iterations or time. An iteration of an SMO solver moves two multipliers, a round of ' +
        'working sets solves a small problem, and an epoch of the others visits every sample.',
      'A run of a millisecond takes a different time whenever it is repeated. So runs are repeated, in turn, until the ' +
        'order of the solvers is clear or a time limit is reached; where the times overlap, no order is claimed.',
    ],
    theory: 'smo.html#convergence',
  },
  tune: {
    title: 'How to read the two maps',
    words: [
      'One map shows the accuracy on held-out samples, the other the accuracy on the samples that the model was trained ' +
        'on. Where the second is high and the first is not, the model fits the noise: it overfits.',
    ],
    theory: 'kernels.html#the-gaussian-and-its-width',
  },
  space: {
    title: 'What space shows',
    words: [
      'Over every place of the plane the surface is as high as the decision value there. It is cut off beyond ±2.5. With a ' +
        'linear kernel it is a flat slope; with a Gaussian, a sum of hills and hollows around the support vectors.',
      'The lift gives every point the height x² + y². A plane there is a circle or a line on the ground: that is how a ' +
        'kernel that contains this lift separates a disc from the ring around it.',
    ],
    formulas: [
      row(
        group(v('x'), o(','), v('y')),
        o('↦'),
        group(v('x'), o(','), v('y'), o(','), sup(v('x'), n(2)), o('+'), sup(v('y'), n(2))),
      ),
    ],
    theory: 'kernels.html#feature-maps',
  },
  heldOut: {
    title: 'Why hold points out',
    words: [
      'The hollow points take no part in training. The share of them that is wrong estimates what the model does on new ' +
        'points; the share of training points that is wrong does not, because a flexible machine can get all of them right.',
      'Along C and γ the training error falls as the machine becomes more flexible. The error on the held-out points ' +
        'falls first, and rises where the machine begins to fit the noise.',
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
      'The curve shows which fraction of each class is predicted positive as the threshold of the decision value ' +
        'moves. The area is the probability that a positive sample has a higher value than a negative one, ties counted ' +
        'half. Neither depends on how frequent the classes are.',
    ],
    theory: 'more-problems.html#probabilities',
  },
} as const satisfies Record<string, Topic>

/** Name of an explanation. */
export type TopicName = keyof typeof topics
