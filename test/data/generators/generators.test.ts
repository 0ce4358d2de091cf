import { describe, expect, it } from 'vitest'
import { generate, generatorNames, generators } from '../../../src/data/generators/generators.ts'
import { checkFinite, type SparseMatrix } from '../../../src/data/matrix/matrix.ts'
import { squaredNorms } from '../../../src/data/matrix/products.ts'
import type { VectorDataset } from '../../../src/data/table/dataset.ts'
import { LinearSVC } from '../../../src/estimators/linear-svc.ts'

function points(dataset: VectorDataset): { x: number; y: number; label: number }[] {
  const { cols, values } = dataset.samples
  return Array.from(dataset.labels as Float64Array, (label, i) => ({
    x: values[i * cols],
    y: values[i * cols + 1],
    label,
  }))
}

function classCounts(dataset: VectorDataset): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const label of dataset.labels) counts[label] = (counts[label] ?? 0) + 1
  return counts
}

describe.each(generatorNames)('%s', (name) => {
  const generator = generators[name]

  it('names and describes itself and its options', () => {
    expect(generator.name).toBe(name)
    expect(generator.describe).not.toBe('')
    for (const option of Object.values(generator.options)) expect(option.describe).not.toBe('')
  })

  it('gives the same data for the same seed and other data for another', () => {
    const data = generate(name, { seed: 3 })
    expect(generate(name, { seed: 3 })).toEqual(data)
    if (name !== 'example37') expect(generate(name, { seed: 4 }).samples).not.toEqual(data.samples)
  })

  it('gives finite values and as many samples as it says', () => {
    const data = generate(name)
    checkFinite(data.samples)
    const wanted = (generator.options as { n?: { default: number } }).n?.default ?? 3
    expect([data.samples.rows, data.labels.length]).toEqual([wanted, wanted])
  })

  it('gives labels that fit its task', () => {
    const labels = Object.keys(classCounts(generate(name))).sort()
    if (generator.task === 'classification') expect(labels).toEqual(['-1', '1'])
    else expect(labels.length).toBeGreaterThan(100)
  })

  it('refuses unknown options and values out of range', () => {
    expect(() => generate(name, { nose: 1 })).toThrow(`generate ${name}: option must be one of`)
    expect(() => generate(name, { seed: -1 })).toThrow(
      `generate ${name}: seed must be a whole number >= 0, got -1`,
    )
  })
})

describe('shapes', () => {
  it.each(['moons', 'circles', 'xor', 'checkerboard', 'spirals', 'text', 'blobs'])(
    '%s has equal classes',
    (name) => {
      expect(classCounts(generate(name, { n: 64 }))).toEqual({ '-1': 32, '1': 32 })
    },
  )

  it('example37 is the three-point example', () => {
    const { samples, labels } = generators.example37.generate()
    expect(Array.from(samples.values)).toEqual([-1, 0, 1])
    expect([...labels]).toEqual([1, -1, 1])
  })

  it('moons without noise lie on two half circles', () => {
    for (const { x, y, label } of points(generators.moons.generate({ n: 51, noise: 0 }))) {
      const [radius, height] = label < 0 ? [Math.hypot(x, y), y] : [Math.hypot(x - 1, y - 0.5), 0.5 - y]
      expect(radius).toBeCloseTo(1, 12)
      expect(height).toBeGreaterThanOrEqual(-1e-12)
    }
  })

  it('circles without noise have their radii', () => {
    for (const { x, y, label } of points(generators.circles.generate({ n: 31, noise: 0, factor: 0.3 }))) {
      expect(Math.hypot(x, y)).toBeCloseTo(label < 0 ? 1 : 0.3, 12)
    }
  })

  it('xor without noise is the sign of -xy', () => {
    for (const { x, y, label } of points(generators.xor.generate())) {
      expect(Math.sign(-x * y)).toBe(label)
      expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThanOrEqual(1)
    }
  })

  it('checkerboard without noise alternates', () => {
    for (const { x, y, label } of points(generators.checkerboard.generate({ cells: 3 }))) {
      const field = (coordinate: number): number => Math.floor(((coordinate + 1) / 2) * 3)
      expect((field(x) + field(y)) % 2 === 0 ? -1 : 1).toBe(label)
    }
  })

  it('spirals without noise are one arm turned by half a circle', () => {
    const arms = points(generators.spirals.generate({ n: 40, noise: 0 }))
    const sorted = (label: number): { x: number; y: number }[] =>
      arms
        .filter((point) => point.label === label)
        .sort((a, b) => Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y))
    const other = sorted(1)
    sorted(-1).forEach(({ x, y }, k) => {
      expect(other[k].x).toBeCloseTo(-x, 12)
      expect(other[k].y).toBeCloseTo(-y, 12)
    })
    expect(Math.hypot(other[19].x, other[19].y)).toBeCloseTo(1, 12)
  })

  it('noise has the deviation asked for', () => {
    const quiet = points(generators.circles.generate({ n: 4000, noise: 0, seed: 9 }))
    const radiusOf = (point: { x: number; y: number; label: number }): number =>
      Math.hypot(point.x, point.y) - (point.label < 0 ? 1 : 0.5)
    const noisy = points(generators.circles.generate({ n: 4000, noise: 0.05, seed: 9 }))
    const deviation = Math.sqrt(noisy.reduce((sum, point) => sum + radiusOf(point) ** 2, 0) / 4000)
    expect(Math.abs(radiusOf(quiet[0]))).toBeLessThan(1e-12)
    // The standard error of a deviation from 4,000 normal numbers is 0.05 / sqrt(8000).
    expect(Math.abs(deviation - 0.05)).toBeLessThan((5 * 0.05) / Math.sqrt(8000))
  })

  it('blobs stand on their centres without spread, with as many classes as asked', () => {
    const data = generators.blobs.generate({ n: 30, centers: 6, features: 3, spread: 0, classes: 3, box: 2 })
    const rows = new Map<string, number>()
    for (let i = 0; i < 30; i++) {
      const row = data.samples.values.subarray(3 * i, 3 * i + 3)
      expect(row.every((value) => Math.abs(value) <= 2)).toBe(true)
      const key = row.join()
      expect(rows.get(key) ?? data.labels[i]).toBe(data.labels[i])
      rows.set(key, data.labels[i] as number)
    }
    expect(rows.size).toBe(6)
    expect(classCounts(data)).toEqual({ '1': 10, '2': 10, '3': 10 })
  })

  it('refuses options that do not fit together', () => {
    expect(() => generators.blobs.generate({ classes: 3 })).toThrow(
      'generate blobs: classes must be <= centers (2), got 3',
    )
    expect(() => generators.blobs.generate({ n: 1 })).toThrow(
      'generate blobs: n must be >= centers (2), got 1',
    )
    expect(() => generators.moons.generate({ n: 1 })).toThrow(
      'n must be a whole number >= 2 and <= 4294967295, got 1',
    )
    expect(() => generators.moons.generate({ noise: -1 })).toThrow(
      'generate moons: noise must be >= 0, got -1',
    )
    expect(() => generators.circles.generate({ factor: 1 })).toThrow('factor must be >= 0 and < 1, got 1')
    expect(() => generators.text.generate({ features: 20 })).toThrow(
      'topicWords must be <= features / 2 (10), got 50',
    )
    expect(() => generate('mons')).toThrow('generate: name must be one of blobs, moons')
  })

  it.each(generatorNames.filter((name) => 'n' in generators[name].options))('%s takes tiny sizes', (name) => {
    expect(generate(name, { n: 2 }).samples.rows).toBe(2)
    expect(generate(name, { n: 3 }).samples.rows).toBe(3)
  })
})

describe('text', () => {
  const data = generators.text.generate({ n: 300, features: 500, topicWords: 20, seed: 1 })
  const { rows, indptr, indices, values } = data.samples as SparseMatrix

  it('is sparse, with positive rows of length 1 and ascending indices', () => {
    expect(data.samples.kind).toBe('sparse')
    for (let i = 0; i < rows; i++) {
      let squares = 0
      for (let k = indptr[i]; k < indptr[i + 1]; k++) {
        squares += values[k] ** 2
        expect(values[k]).toBeGreaterThan(0)
        if (k > indptr[i]) expect(indices[k]).toBeGreaterThan(indices[k - 1])
      }
      expect(squares).toBeCloseTo(1, 12)
    }
    expect(values.length).toBeLessThan(0.3 * rows * 500)
  })

  it('has common words at the front and words of each class', () => {
    const documents = { '-1': new Uint32Array(500), '1': new Uint32Array(500) }
    for (let i = 0; i < rows; i++) {
      const counts = documents[String(data.labels[i]) as '-1' | '1']
      for (let k = indptr[i]; k < indptr[i + 1]; k++) counts[indices[k]]++
    }
    const total = documents['1'].map((count, j) => count + documents['-1'][j])
    expect(total[0]).toBe(Math.max(...total))
    // A word of one class stands in about 0.15 * 80 / 20 = 45 % of its 150 documents; a rare word in few.
    const telling = total.filter((_, j) => Math.abs(documents['1'][j] - documents['-1'][j]) > 30)
    expect(telling.length).toBeGreaterThanOrEqual(35)
    expect(telling.length).toBeLessThanOrEqual(40)
  })
})

describe('curves without noise are their functions', () => {
  it.each([
    ['sinc', (x: number) => Math.sin(x) / x, 10],
    ['sine', Math.sin, 2 * Math.PI],
    ['step', Math.sign, 1],
  ] as const)('%s', (name, f, span) => {
    const { samples, labels } = generators[name].generate({ noise: 0 })
    samples.values.forEach((x, i) => {
      expect(Math.abs(x)).toBeLessThanOrEqual(span)
      expect(labels[i]).toBeCloseTo(f(x), 12)
    })
  })

  it('friedman', () => {
    const { samples, labels } = generators.friedman.generate({ noise: 0, features: 6, n: 20 })
    for (let i = 0; i < 20; i++) {
      const [a, b, c, d, e] = samples.values.subarray(6 * i)
      expect(labels[i]).toBeCloseTo(10 * Math.sin(Math.PI * a * b) + 20 * (c - 0.5) ** 2 + 10 * d + 5 * e, 12)
    }
    expect(samples.cols).toBe(6)
  })
})

describe('hashed text', () => {
  const options = { n: 120, features: 500, topicWords: 20, seed: 1 }
  const plain = generators.text.generate(options)
  const norms = ({ samples }: typeof plain) => Array.from(squaredNorms(samples))

  it('has a million columns, and the inner products of the words where none meet', async () => {
    const data = generators.text.generate({ ...options, buckets: 1e6 })
    expect(data.samples.cols).toBe(1e6)
    expect(data.labels).toEqual(plain.labels)
    norms(data).forEach((norm) => {
      expect(norm).toBeCloseTo(1, 12)
    })
    const [hashed, words] = await Promise.all([data, plain].map((set) => new LinearSVC().fit(set)))
    expect(hashed.certificate.stopReason).toBe('converged')
    expect(hashed.certificate.primal / words.certificate.primal).toBeCloseTo(1, 5)
  })

  it('adds up words that meet, with their signs', () => {
    const data = generators.text.generate({ ...options, buckets: 16 })
    expect(data.samples.cols).toBe(16)
    expect(new Set(norms(data).map((norm) => norm > 1)).size).toBe(2)
  })
})
