/** What kernel values cost, for whoever has to choose between ways to a result by counting work. */

/**
 * Work of a kernel value beside the product of its samples, in multiply-adds: most of it an exponential. One number for f32 and
 * f64, between what each takes: it sizes pieces and budgets of work, for which a factor of two makes no difference.
 */
export const KERNEL_VALUE_WORK = 16
