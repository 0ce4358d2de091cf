/**
 * Sparse rows that look like text: word frequencies follow Zipf's law, each class has its own words, and rows
 * are tf-idf weights of Euclidean length 1. Column r is the word of frequency rank r; with `buckets`, words are hashed to columns
 * with a sign each, and those that meet add up (Weinberger et al. 2009).
 */
import { ParameterError } from '../../base/errors.ts'
import type { Random } from '../../base/random.ts'
import type { SparseMatrix } from '../matrix/matrix.ts'
import { sparseRows } from '../matrix/sparse-rows.ts'
import { makeDataset } from '../table/dataset.ts'
import { defineGenerator, option, sampleOption, shuffledIndices } from './generator.ts'

/** Two classes of documents as sparse tf-idf rows. */
export const text = defineGenerator(
  {
    name: 'text',
    task: 'classification',
    describe: 'documents of two topics as sparse tf-idf rows of length 1',
  },
  {
    n: sampleOption(400),
    features: option(2000, { integer: true, min: 2, max: 2 ** 26 }, 'size of the vocabulary'),
    words: option(80, { min: 1, max: 1e6 }, 'typical number of words in a document'),
    exponent: option(1, { min: 0 }, "Zipf's exponent: rank r has frequency 1/r^exponent"),
    topicWords: option(50, { integer: true, min: 1 }, 'words each class has of its own'),
    topic: option(
      0.15,
      { min: 0, max: 1 },
      "share of a document's words that is drawn from those of its class",
    ),
    buckets: option(
      0,
      { integer: true, min: 0, max: 2 ** 26 },
      'columns that words are hashed to, with a sign each; 0: one column per word',
    ),
  },
  ({ n, features, words, exponent, topicWords, topic, buckets }, random) => {
    if (2 * topicWords > features) {
      throw new ParameterError('generate text', 'topicWords', `<= features / 2 (${features / 2})`, topicWords)
    }
    const drawCommon = zipf(features, exponent, random)
    const vocabulary = shuffledIndices(features, random)
    const labels = Float64Array.from(shuffledIndices(n, random), (i) => (i % 2 === 0 ? -1 : 1))
    const documents = Array.from(labels, (label) => {
      const topicStart = label < 0 ? 0 : topicWords
      const counts = new Map<number, number>()
      const length = Math.max(1, Math.round(words * Math.exp(0.4 * random.normal())))
      for (let w = 0; w < length; w++) {
        const onTopic = random.uniform() < topic
        const word = onTopic ? vocabulary[topicStart + random.int(topicWords)] : drawCommon()
        counts.set(word, (counts.get(word) ?? 0) + 1)
      }
      return Array.from(counts).sort((a, b) => a[0] - b[0])
    })
    const samples = tfidf(documents, features)
    return makeDataset(buckets > 0 ? hashed(samples, buckets) : samples, labels)
  },
)

/** Draws ranks 0 … size - 1 with probability proportional to 1 / (rank + 1)^exponent. */
function zipf(size: number, exponent: number, random: Random): () => number {
  const cumulative = new Float64Array(size)
  let total = 0
  for (let rank = 0; rank < size; rank++) {
    total += (rank + 1) ** -exponent
    cumulative[rank] = total
  }
  return () => {
    const target = random.uniform() * total
    let low = 0
    let high = size - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (cumulative[middle] > target) high = middle
      else low = middle + 1
    }
    return low
  }
}

/** Weights (1 + ln count) (1 + ln((1 + n) / (1 + documents with the word))), rows divided by their length. */
function tfidf(documents: readonly (readonly [word: number, count: number][])[], cols: number): SparseMatrix {
  const rows = documents.length
  const documentCount = new Uint32Array(cols)
  for (const document of documents) for (const [word] of document) documentCount[word]++
  return sparseRows(rows, cols, (i, put) => {
    const weights = documents[i].map(
      ([word, count]) => (1 + Math.log(count)) * (1 + Math.log((1 + rows) / (1 + documentCount[word]))),
    )
    const length = Math.sqrt(weights.reduce((sum, weight) => sum + weight * weight, 0))
    documents[i].forEach(([word], k) => {
      put(word, weights[k] / length)
    })
  })
}

/** The columns of a matrix hashed to fewer or more, with a sign each; those that meet in a row add up. */
function hashed({ rows, indptr, indices, values }: SparseMatrix, cols: number): SparseMatrix {
  return sparseRows(rows, cols, (i, put) => {
    const row = new Map<number, number>()
    for (let k = indptr[i]; k < indptr[i + 1]; k++) {
      const hash = mixed(indices[k])
      const column = (hash >>> 1) % cols
      row.set(column, (row.get(column) ?? 0) + (hash & 1 ? values[k] : -values[k]))
    }
    for (const [column, value] of Array.from(row).sort((a, b) => a[0] - b[0])) put(column, value)
  })
}

/** 32 bits that look random, each of them a function of all bits of `value` (the last step of MurmurHash3). */
function mixed(value: number): number {
  let bits = value + 1
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
