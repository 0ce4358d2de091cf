// A ColumnTransformer pipeline of scikit-learn, side by side. With python3-sklearn installed, the numbers are compared.
//   node examples/25-from-scikit-learn.js
import { spawnSync } from 'node:child_process'
import { Random, rbf, SVC } from 'hyperplane'
import { makeTable } from 'hyperplane/tables'

const random = new Random(9)
const words = ['good', 'great', 'bad', 'awful', 'service', 'refund', 'late', 'fast', 'staff', 'price']
const people = Array.from({ length: 120 }, () => {
  const body = Array.from({ length: 4 + random.int(4) }, () => words[random.int(words.length)]).join(' ')
  const city = random.uniform() < 0.1 ? null : ['Paris', 'Rome', 'Oslo'][random.int(3)]
  const age = random.uniform() < 0.1 ? null : 18 + random.int(60)
  const size = ['S', 'M', 'L'][random.int(3)]
  return { age, city, size, body, left: body.includes('bad') || city === 'Rome' ? 'yes' : 'no' }
})
const [train, test] = [people.slice(0, 80), people.slice(80)]

// ColumnTransformer([
//     ("age",  make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), ["age"]),
//     ("city", make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore")), ["city"]),
//     ("size", make_pipeline(OrdinalEncoder(categories=[["S", "M", "L"]]), StandardScaler()), ["size"]),
//     ("body", TfidfVectorizer(ngram_range=(1, 2)), "body"),
// ])
const data = makeTable(train, {
  label: 'left',
  columns: {
    age: { kind: 'number', fill: 'median' },
    city: { kind: 'category', fill: 'most-frequent', unseen: 'ignore' },
    size: { kind: 'ordinal', order: ['S', 'M', 'L'] },
    body: { kind: 'text', ngrams: [1, 2] },
  },
})
// make_pipeline(transformer, SVC(C=2, gamma=0.2))
const model = await new SVC({ C: 2, kernel: rbf({ gamma: 0.2 }), scaler: 'standard', tol: 1e-9 }).fit(data)
const decisions = model.decisionFunction(test)
const right = model.predict(test).filter((label, i) => label === test[i].left).length
console.log(`${right} of ${test.length} right`)

const python = `
import json, sys
import numpy
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.svm import SVC

train, test = json.load(sys.stdin)
def frame(rows):
    missing = {"age": numpy.nan, "city": ""}
    return numpy.array([[missing[k] if row[k] is None else row[k] for k in ["age", "city", "size", "body"]] for row in rows], dtype=object)
transformer = ColumnTransformer([
    ("age", make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), [0]),
    ("city", make_pipeline(SimpleImputer(missing_values="", strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore")), [1]),
    ("size", make_pipeline(OrdinalEncoder(categories=[["S", "M", "L"]]), StandardScaler()), [2]),
    ("body", TfidfVectorizer(ngram_range=(1, 2)), 3),
])
pipeline = make_pipeline(transformer, SVC(C=2, gamma=0.2, tol=1e-12))
pipeline.fit(frame(train), [row["left"] for row in train])
print(json.dumps(pipeline.decision_function(frame(test)).tolist()))
`
const { status, stdout } = spawnSync(process.env.PYTHON ?? '/usr/bin/python3', ['-c', python], {
  input: JSON.stringify([train, test]),
  encoding: 'utf8',
})
if (status === 0) {
  const theirs = JSON.parse(stdout)
  const largest = decisions.reduce((most, value, i) => Math.max(most, Math.abs(value - theirs[i])), 0)
  console.log(`decision values of scikit-learn: ${largest < 1e-6 ? 'equal to 1e-6' : `off by ${largest}`}`)
} else console.log('scikit-learn is not installed: nothing to compare with')
