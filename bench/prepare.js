// Makes the file of a data set: plain LIBSVM text, the same for all tools, kept for the next time.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDataset, toSparse, writeDataset } from 'hyperplane'
import { cached } from './places.js'

/**
 * The set with the paths of its files, its size, and a digest of what is in it; or only with `missing`, a reason, when
 * its source is not there.
 */
export async function prepare(set, folder) {
  const recipe = set.recipe ?? String(set.make ?? set.change)
  const train = await textFile(set.name, { ...set, recipe }, folder)
  if (!train)
    return { ...set, missing: folder ? `no ${set.file} in the data folder` : 'no data folder was given' }
  const test = set.testFile && (await textFile(`${set.name}.test`, { file: set.testFile }, folder))
  return { ...set, ...train, testPath: test?.path ?? train.path, testRows: test?.rows ?? train.rows }
}

async function textFile(name, { file, make, change, recipe = '' }, folder) {
  const source = make ? undefined : sourceFile(folder, file)
  if (!make && !source) return undefined
  const path = cached('data', `${name}.libsvm`)
  const notes = `${path}.json`
  // Made anew when its source or what is done to it has changed.
  const origin = source ? `${statSync(source).size} bytes, ${recipe}` : recipe
  const known = existsSync(notes) && existsSync(path) ? JSON.parse(readFileSync(notes, 'utf8')) : undefined
  if (known?.origin === origin) return { path, ...known }
  const read = source ? await readDataset(source, { format: 'libsvm' }) : undefined
  const dataset = make ? make() : change ? change(read) : read
  await writeDataset(path, dataset)
  const { rows, cols, values, indptr } = toSparse(dataset.samples)
  const bytes = readFileSync(path)
  const facts = {
    origin,
    rows,
    cols,
    nonZeros: values.length,
    // What the samples take in memory, as compressed sparse rows with their labels.
    dataBytes: 12 * values.length + 4 * indptr.length + 8 * rows,
    textBytes: bytes.length,
    digest: createHash('sha256').update(bytes).digest('hex').slice(0, 16),
  }
  writeFileSync(notes, JSON.stringify(facts))
  return { path, ...facts }
}

function sourceFile(folder, name) {
  if (!folder) return undefined
  return ['', '.xz', '.bz2', '.gz'].map((ending) => join(folder, name + ending)).find(existsSync)
}
