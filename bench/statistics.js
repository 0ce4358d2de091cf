// The few sums that benchmarks need.

/** The mean of ratios: exp of the mean logarithm. */
export function geometricMean(values) {
  if (values.length === 0) return Number.NaN
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)
}

/** The middle value; between the two middle ones when their number is even. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
}

/**
 * How fast `y` grows with `x`: the slope of the least-squares line through (log x, log y). Time that grows with the
 * square of the number of samples has slope 2.
 */
export function logLogSlope(points) {
  const xs = points.map(([x]) => Math.log(x))
  const ys = points.map(([, y]) => Math.log(y))
  const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length
  const [middleX, middleY] = [mean(xs), mean(ys)]
  const along = xs.reduce((sum, x, i) => sum + (x - middleX) * (ys[i] - middleY), 0)
  return along / xs.reduce((sum, x) => sum + (x - middleX) ** 2, 0)
}
