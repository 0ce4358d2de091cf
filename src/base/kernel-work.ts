/** What kernel values cost, for whoever has to choose between ways to a result by counting work. */

/**
 * Work of a kernel value beside the product of its samples, in multiply-adds of the same precision: what an exponential costs on
 * the engine (10 in f32, 20 in f64, between 2 and 3 for a product's own overhead; it decides nothing to a factor of two).
 */
export const KERNEL_VALUE_WORK = 16
