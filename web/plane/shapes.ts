/** The shapes of classes: colours alone would not do. */

type Corner = readonly [x: number, y: number]

/** Corners for a radius of 1, y downwards; a circle has none. */
export const shapes: readonly (readonly Corner[])[] = [
  polygon(3, -90, 1.25),
  [],
  polygon(4, 45, 1.2),
  polygon(4, 0, 1.25),
  polygon(3, 90, 1.25),
  plus(0),
  star(),
  plus(45),
]

function polygon(count: number, degrees: number, size: number): Corner[] {
  return Array.from({ length: count }, (_, k) => at(degrees + (360 * k) / count, size))
}

function star(): Corner[] {
  return Array.from({ length: 10 }, (_, k) => at(36 * k - 90, k % 2 === 0 ? 1.4 : 0.6))
}

function plus(degrees: number): Corner[] {
  const [arm, half] = [1.25, 0.42]
  const tilt = (Math.atan2(half, arm) * 180) / Math.PI
  return [0, 90, 180, 270].flatMap((turn) => [
    at(degrees + turn - tilt, Math.hypot(arm, half)),
    at(degrees + turn + tilt, Math.hypot(arm, half)),
    at(degrees + turn + 45, half * Math.SQRT2),
  ])
}

function at(degrees: number, radius: number): Corner {
  const angle = (degrees * Math.PI) / 180
  return [radius * Math.cos(angle), radius * Math.sin(angle)]
}
