// Two checks before you spend more time on a model: how scores change with C, and whether more data would help.
//   node examples/12-path-and-learning-curve.js

import { generate, rbf, SVC } from 'hyperplane'
import { learningCurveFigure, pathFigure } from 'hyperplane/plots'
import { cPath, learningCurve } from 'hyperplane/selection'

const data = generate('moons', { n: 400, noise: 0.3, seed: 6 })
const svc = new SVC({ kernel: rbf({ gamma: 1 }) })

// Each solution is the starting point for the next C.
const path = await cPath(svc, data, { C: [0.01, 0.1, 1, 10, 100, 1000] })
console.log('C       held out  trained on    support vectors')
for (const { C, test, train, supportVectors } of path.points) {
  const scores = `${test.mean.toFixed(3)}     ${train.mean.toFixed(3)}`
  console.log(`${String(C).padEnd(6)}  ${scores}         ${supportVectors?.toFixed(1)}`)
}
console.log(`best C: ${path.bestC}`)

// If the scores are far apart at the end, more samples would help. If they are close and low, the model is too simple.
const curve = await learningCurve(svc, data, { sizes: [0.1, 0.3, 1] })
for (const { samples, test, train } of curve.points) {
  console.log(`${samples} samples: ${test.mean.toFixed(3)} held out, ${train.mean.toFixed(3)} trained on`)
}

// Both as SVG, for a page or a file.
const figures = [await pathFigure(path.points, { best: path.bestC }), await learningCurveFigure(curve.points)]
console.log(`figures: ${figures.map((svg) => svg.slice(0, 4)).join(' ')}`)
