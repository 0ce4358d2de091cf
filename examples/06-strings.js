// Samples need not be vectors: here they are words, compared by exp(-edit distance). This is a similarity, but not a
// kernel in general, so check it on the data before you trust it.
//   node examples/06-strings.js
import { distance } from 'fastest-levenshtein'
import { makeSampleSet, parseModel, SVC } from 'hyperplane'
import { checkKernel, custom } from 'hyperplane/kernels'

const words = [
  'colour',
  'flavour',
  'honour',
  'labour',
  'neighbour',
  'color',
  'flavor',
  'honor',
  'labor',
  'neighbor',
]
const spelling = words.map((word) => (word.endsWith('our') ? 'British' : 'American'))

/** @type {(a: string, b: string) => number} */
const editSimilarity = (a, b) => Math.exp(-distance(a, b))
const kernel = custom(editSimilarity, { name: 'edit-similarity' })

console.log(checkKernel(kernel, words).verdict)
// This proves nothing about other samples: on all words of a and b up to length 4, it is not a kernel.
const level = (/** @type {string[]} */ words) => words.flatMap((word) => [`${word}a`, `${word}b`])
const refuting = [['']]
for (let length = 1; length <= 4; length++) refuting.push(level(refuting[length - 1]))
console.log(checkKernel(kernel, refuting.flat()).verdict)

const model = await new SVC({ kernel, C: 10 }).fit(makeSampleSet(words, spelling))
console.log(model.certificate.stopReason, model.predict(['humour', 'humor', 'behaviour', 'behavior']))

// A function cannot be saved. The file contains its name, and you pass the function again when you load the model.
const loaded = parseModel(JSON.stringify(model), { functions: { 'edit-similarity': editSimilarity } })
if (loaded.type === 'svc') console.log('loaded again:', loaded.predict(['rumour', 'rumor']))
