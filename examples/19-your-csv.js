// A spreadsheet with a hole, a category, a date and text: what its columns are taken for, a model, and a prediction.
//   node examples/19-your-csv.js
import { crossValidate, LinearSVC, parseDataset } from 'hyperplane'
import { describePreparation } from 'hyperplane/tables'

const csv = `id,age,city,since,review,left
1,29,Rome,2021-03-01,great staff and very fast delivery,no
2,,Oslo,2023-07-15,the refund never came and nobody cared,yes
3,41,Rome,2019-11-30,friendly people and a great price,no
4,35,Bern,2023-01-20,awful service and a late delivery,yes
5,52,Oslo,2018-05-05,fast and friendly as always,no
6,23,,2024-02-29,late again and an awful mess,yes
`
const data = await parseDataset(csv, { format: 'csv', labelColumn: 'left' })
const model = await new LinearSVC({ scaler: 'standard' }).fit(data)
for (const line of describePreparation(model.preparation)) console.log(line)
for (const { name, kind, reason } of data.report.columns) {
  if (kind === 'ignored') console.log(`${name}: ignored, ${reason}`)
}

// Columns in another order, a city that training did not see, a cell that is missing.
console.log(model.predict([{ review: 'an awful delivery', city: 'Paris', since: '2024-01-01', age: null }]))
const { scores } = await crossValidate(new LinearSVC({ scaler: 'standard' }), data, { folds: 3 })
console.log(`${scores[0].name} ${scores[0].mean.toFixed(2)} on rows that the models had not seen`)
