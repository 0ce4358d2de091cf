// How good is a model on unseen data? Folds, scores with their standard error, leave-one-out, and a test whether one
// model is really better than another.
//   node examples/11-cross-validation.js
import { crossValidate, generate, linear, rbf, SVC } from 'hyperplane'
import { fiveByTwoFTest } from 'hyperplane/selection'

const data = generate('moons', { n: 300, noise: 0.25, seed: 4 })
const curved = new SVC({ kernel: rbf({ gamma: 1 }), C: 1 })
const straight = new SVC({ kernel: linear(), C: 1 })

// Any protocol, any scores. Every fold keeps the proportions of the classes.
const { scores } = await crossValidate(curved, data, {
  protocol: { kind: 'repeated-k-fold', folds: 5, repeats: 2 },
  scoring: ['accuracy', 'precision', 'recall', 'f1'],
  seed: 1,
})
for (const { name, mean, standardError } of scores) {
  console.log(`${name.padEnd(9)} ${mean.toFixed(3)} ± ${standardError.toFixed(3)}`)
}

// Leave-one-out retrains only for support vectors: removing another sample does not change the model.
const left = await crossValidate(curved, data, { protocol: 'leave-one-out' })
console.log(
  `leave-one-out: accuracy ${left.scores[0].mean.toFixed(3)} with ${left.fits} fits for 300 samples`,
)

// Two models on the same folds. A plain t-test would treat overlapping training sets as independent.
const [a, b] = await Promise.all(
  [curved, straight].map((estimator) => crossValidate(estimator, data, { protocol: '5x2', seed: 1 })),
)
const { difference, pValue } = fiveByTwoFTest(a.scores[0].scores, b.scores[0].scores)
console.log(`rbf − linear: ${difference.toFixed(3)}, p = ${pValue.toFixed(4)}`)
