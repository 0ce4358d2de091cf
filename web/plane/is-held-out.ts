/** Which points of the plane are held out: the model does not see them, and is tested on them. */

/** The fractional parts of multiples of the golden ratio are spread evenly, however many are taken. */
const GOLDEN = (Math.sqrt(5) - 1) / 2

/** Whether the point with a number is held out: it stays so while others come and go behind it, and while the share grows. */
export function isHeldOut(index: number, share: number): boolean {
  return ((index + 1) * GOLDEN) % 1 < share
}
