/**
 * Parts of passes over the rows of a linear machine, of one function or of k classes, of its losses and of its systems, that threads share: a
 * PASS structure each. In it, u32[] are the samples, where the classes of each start, and these (without samples, the pass is over all rows and
 * all classes; without factors, it is over classes: u32[] are the samples of each, and their places); f64[] are factors of rows, what goes in (x), room for sums, and what comes out; the triangle has `size` rows,
 * and so long are runs of samples between the same two classes that are worth a way of their own. Of losses, x is f, the factors are q, `scale`
 * is t, and what comes out are β̂ and the curvature; their sums, or slope and bend, go to `sums`.
 */
import * as at from '../structures'
import { field } from '../tasks'
import { addClassProducts, addClassRows, addListedRows, classGrams, classValues, listedValues } from './classes'
import { addGram, factorRows, solveFactored } from './gram'
import { lossSlopes, lossSum, slopeAlong } from './losses'
import { addProducts, addRows, addSquares, rowValues } from './rows'

export function passTask(kind: u32, pass: usize): void {
  const matrix = field(pass, at.PASS_MATRIX)
  const constant = load<f64>(pass, at.PASS_CONSTANT)
  const k = load<u32>(pass, at.PASS_K)
  const from = load<u32>(pass, at.PASS_FROM)
  const to = load<u32>(pass, at.PASS_TO)
  const samples = field(pass, at.PASS_SAMPLES)
  const factors = field(pass, at.PASS_FACTORS)
  const x = field(pass, at.PASS_X)
  const out = field(pass, at.PASS_OUT)
  const triangle = field(pass, at.PASS_TRIANGLE)
  const starts = field(pass, at.PASS_STARTS)
  const classes = field(pass, at.PASS_CLASSES)
  if (kind == at.KIND_CLASS_VALUES) {
    if (samples) listedValues(matrix, constant, samples, starts, classes, from, to, k, x, out)
    else classValues(matrix, constant, x, k, from, to, out)
  } else if (kind == at.KIND_CLASS_ROWS) {
    if (samples) addListedRows(matrix, constant, samples, starts, classes, factors, from, to, k, out)
    else addClassRows(matrix, constant, factors, k, from, to, out)
  } else if (kind == at.KIND_CLASS_PRODUCTS) {
    const sums = field(pass, at.PASS_SUMS)
    if (!factors) return classGrams(matrix, constant, samples, starts, classes, from, to, x, sums, out)
    const least = load<u32>(pass, at.PASS_SIZE)
    addClassProducts(matrix, constant, samples, starts, classes, factors, from, to, least, k, x, sums, out)
  } else if (kind == at.KIND_GRAMS) addGram(matrix, constant, factors, samples, from, to, triangle)
  else if (kind == at.KIND_FACTORS) factorRows(triangle, load<u32>(pass, at.PASS_SIZE), from, to)
  else if (kind == at.KIND_SOLVES) solveForClass(pass, triangle, load<u32>(pass, at.PASS_SIZE), k, from, x, out)
  else if (kind == at.KIND_ROW_VALUES) rowValues(matrix, constant, x, from, to, out)
  else if (kind == at.KIND_ROW_SUMS) addRows(matrix, constant, factors, from, to, out)
  else if (kind == at.KIND_ROW_PRODUCTS) addProducts(matrix, constant, factors, from, to, x, out)
  else if (kind == at.KIND_ROW_SQUARES) addSquares(matrix, constant, factors, from, to, out)
  else lossTask(kind, pass, from, to, x, factors, out)
}

function lossTask(kind: u32, pass: usize, from: u32, to: u32, f: usize, q: usize, beta: usize): void {
  const losses = field(pass, at.PASS_LOSSES)
  const sums = field(pass, at.PASS_SUMS)
  if (kind == at.KIND_LOSS_SLOPES) {
    store<f64>(sums, lossSlopes(losses, f, beta, field(pass, at.PASS_CURVATURE), from, to))
  } else if (kind == at.KIND_LOSS_SUMS) store<f64>(sums, lossSum(losses, f, from, to))
  else store<f64>(sums, slopeAlong(losses, f, q, load<f64>(pass, at.PASS_SCALE), from, to, sums + 8))
}

/** out_m = A⁻¹ x_m / scale of class m alone, A the matrix that was factored; both vectors are kept by feature. */
function solveForClass(pass: usize, triangle: usize, n: u32, k: u32, m: u32, x: usize, out: usize): void {
  const side = field(pass, at.PASS_SUMS)
  const scale = load<f64>(pass, at.PASS_SCALE)
  for (let j: u32 = 0; j < n; j++) {
    store<f64>(side + (<usize>j << 3), load<f64>(x + (<usize>(j * k + m) << 3)) / scale)
  }
  solveFactored(triangle, n, side)
  for (let j: u32 = 0; j < n; j++) {
    store<f64>(out + (<usize>(j * k + m) << 3), load<f64>(side + (<usize>j << 3)))
  }
}
