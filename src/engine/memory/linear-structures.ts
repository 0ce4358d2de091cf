/** The structures of linear machines, and the kinds of passes that threads share; a part of the table in ./structures.ts. */
import { f64, u32 } from './lay-out.ts'

/** Kinds of jobs whose tasks are PASS structures; the first of them is the least. assembly/linear/passes.ts does them. */
export const PASS_KINDS = {
  'class-values': 14,
  'class-rows': 15,
  'class-products': 16,
  grams: 17,
  factors: 18,
  solves: 19,
  'row-values': 20,
  'row-sums': 21,
  'row-products': 22,
  'row-squares': 23,
  'loss-slopes': 24,
  'loss-sums': 25,
  'line-slopes': 26,
} as const

/** See ./structures.ts. */
export const linearStructures = {
  /** The losses of samples of a linear machine: src/problems/linear-loss.ts says what the fields are. */
  LOSSES: {
    count: u32,
    isLogistic: u32,
    /** f64[count] each; D_i is the last. */
    z: u32,
    lower: u32,
    upper: u32,
    shift: u32,
    epsilon: f64,
  },
  /** A part of a pass over rows, for one task; assembly/linear/passes.ts explains the fields. */
  PASS: {
    matrix: u32,
    losses: u32,
    k: u32,
    from: u32,
    to: u32,
    samples: u32,
    starts: u32,
    classes: u32,
    factors: u32,
    x: u32,
    sums: u32,
    out: u32,
    curvature: u32,
    triangle: u32,
    size: u32,
    constant: f64,
    scale: f64,
  },
  /** A sweep of dual coordinate descent (assembly/linear/sweep.ts). */
  SWEEP: {
    matrix: u32,
    /** u32[] both; then f64[] each: β, z, bounds, D_i, curvatures, and w with the weight of the constant feature last. */
    order: u32,
    turns: u32,
    beta: u32,
    z: u32,
    lower: u32,
    upper: u32,
    shift: u32,
    curvature: u32,
    w: u32,
    /** The next of the turns, where the active part of the order ends, how many β have moved. */
    turn: u32,
    active: u32,
    changes: u32,
    /** The constant feature; ε; the slopes beyond which a sample is left out, at β = 0 and at the other bound. */
    constant: f64,
    epsilon: f64,
    heldAtZero: f64,
    heldAtBound: f64,
    /** The extremes of the projected gradient, and the sum of its absolute values. */
    highest: f64,
    lowest: f64,
    total: f64,
  },
} as const
