// Text as it is: a table of messages, terms weighted by tf-idf, a linear machine, and the terms that decide.
//   node examples/20-text.js
import { crossValidate, LinearSVC, parseDataset, parseModel, trainTestSplit } from 'hyperplane'
import { preparedNames } from 'hyperplane/tables'

const complaints = [
  'the refund never came',
  'my parcel is late again',
  'the box was broken',
  'nobody answers my calls',
]
const praise = [
  'the price is great',
  'my parcel came fast',
  'the staff was friendly',
  'it works as described',
]
const openings = ['Hello,', 'To whom it may concern:', 'Hi there!', 'Good morning,', 'Dear team,']
const endings = ['Thank you.', 'Please reply soon.', 'Best wishes', 'Greetings from Oslo.']
const lines = openings.flatMap((opening) =>
  endings.flatMap((ending, k) => [
    `"${opening} ${complaints[k]}, ${complaints[(k + 1) % 4]}. ${ending}",complaint`,
    `"${opening} ${praise[k]}, ${praise[(k + 1) % 4]}. ${ending}",praise`,
  ]),
)

const data = await parseDataset(`message,topic\n${lines.join('\n')}\n`, {
  format: 'csv',
  columns: { message: { kind: 'text', ngrams: [1, 2] } },
})
const { train, test } = trainTestSplit(data, { testFraction: 0.25, seed: 1 })
const estimator = new LinearSVC({ C: 10 })
const { scores } = await crossValidate(estimator, train, { folds: 5, scoring: 'f1' })
console.log(`f1 ${scores[0].mean.toFixed(2)} on messages that the models had not seen`)

const model = await estimator.fit(train)
const right = model.predict(test.samples).filter((topic, i) => topic === test.labels[i]).length
console.log(`${right} of ${test.labels.length} held-out messages are right`)
console.log(
  model.predict([
    { message: 'Hello, the parcel never came.' },
    { message: 'Hi there! Great, friendly and fast.' },
  ]),
)

// The weight of a term says for which topic it speaks.
if (!model.preparation) throw new Error('the model has no preparation')
const terms = preparedNames(model.preparation).map((name, j) => ({ name, weight: model.coef[j] }))
terms.sort((a, b) => a.weight - b.weight)
console.log(
  `for a complaint: ${terms
    .slice(0, 3)
    .map(({ name }) => name)
    .join(', ')}`,
)
console.log(
  `for praise: ${terms
    .slice(-3)
    .map(({ name }) => name)
    .join(', ')}`,
)

// The vocabulary is part of the model.
const loaded = parseModel(JSON.stringify(model))
console.log(`loaded again: ${loaded.predict([{ message: 'the box was late' }])}`)
