/**
 * Layouts shared by all primitives. Everything lives in one linear memory; functions take pointers (bytes) and
 * allocate nothing. src/engine/memory/layout.ts writes the same structures from TypeScript.
 *
 * Query block: QUERIES rows of samples, interleaved so that one gather serves them all:
 *
 *     feature 0              feature 1              …
 *     [q0 q1 q2 … q15] f32   [q0 q1 q2 … q15] f32   …      64 bytes a feature: one cache line
 *
 * Tile: TILE samples × QUERIES products, [sample][query] f32, the scratch between products and kernel values.
 */

/** Query rows in a block. */
export const QUERIES: i32 = 16
/** Query rows in a block of f64 values (./sums/exact.ts). */
export const EXACT_QUERIES: i32 = 8
/** Bytes a feature takes in a query block, of either kind. */
export const QUERY_BYTES: usize = 64
/** Samples in a tile. */
export const TILE: i32 = 64

/** A matrix of samples: byte offsets of its fields. A sparse matrix stores column · 64 as `offsets`. */
export const MATRIX_DENSE: usize = 0 // u32: 1 dense, 0 sparse
export const MATRIX_COLS: usize = 4 // u32
export const MATRIX_INDPTR: usize = 8 // u32 pointer to u32[rows + 1] (sparse)
export const MATRIX_OFFSETS: usize = 12 // u32 pointer to u32[nnz] (sparse)
export const MATRIX_VALUES: usize = 16 // u32 pointer to f32[nnz] or f32[rows · cols]
export const MATRIX_NORMS: usize = 20 // u32 pointer to f32[rows]: ½‖x‖²
export const MATRIX_EXACT: usize = 24 // u32 pointer to f64 values, in the order of VALUES
export const MATRIX_EXACT_NORMS: usize = 28 // u32 pointer to f64[rows]: ‖x‖²
export const MATRIX_WHOLE: usize = 32 // u32: NOT_WHOLE, COUNTS or PAIRS; see ./kernel/integer-products.ts
export const MATRIX_ENTRY_ENDS: usize = 36 // u32 pointer to u32 pointers to entries: where each row ends, first a 0th
export const MATRIX_UNIT: usize = 40 // f64: what whole numbers are multiples of
export const MATRIX_LONGEST: usize = 48 // u32: most values in a row
export const MATRIX_ORIGIN: usize = 52 // u32 pointer to the matrix that rows were copied from, which has their f64 values; or 0
export const MATRIX_ORIGIN_ROWS: usize = 56 // u32 pointer to u32[rows]: which of its rows they are

export const NOT_WHOLE: u32 = 0
export const COUNTS: u32 = 1
export const PAIRS: u32 = 2

/** A kernel: byte offsets of its fields. */
export const KERNEL_KIND: usize = 0 // u32: one of the kinds below
export const KERNEL_DEGREE: usize = 4 // u32 (polynomial)
export const KERNEL_GAMMA: usize = 8 // f64
export const KERNEL_COEF0: usize = 16 // f64

export const LINEAR: u32 = 0
export const POLYNOMIAL: u32 = 1
export const RBF: u32 = 2
export const SIGMOID: u32 = 3

/**
 * Which sums coefficients belong to: byte offsets of its fields. Samples come in groups, and each has `rows` coefficients,
 * [row][sample]; the one in row r of a sample of group g goes to sum number targets[g · rows + r].
 */
export const SUMS_ROWS: usize = 0 // u32
export const SUMS_STRIDE: usize = 4 // u32: coefficients in a row
export const SUMS_ENDS: usize = 8 // u32 pointer to u32[groups]: where each group ends
export const SUMS_TARGETS: usize = 12 // u32 pointer to u32[groups · rows]
export const SUMS_OUTPUTS: usize = 16 // u32: sums a query

/**
 * Scratch of a thread: what there is to know of the queries of a block, sums, a tile, and the block itself. The head of
 * ./jobs.ts tells more.
 */
export const SCRATCH_NORMS: usize = 0 // f32[16]: ½‖q‖², or f64[8]: ‖q‖²
export const SCRATCH_SUMS: usize = 64 // f64[16]
export const SCRATCH_ROWS: usize = 192 // u32[16]: which rows of their matrix the queries are
export const SCRATCH_SOURCE: usize = 256 // u32 pointer to that matrix
export const SCRATCH_FAR: usize = 260 // u32: a bit for each query that is far; see ./kernel/far.ts
export const SCRATCH_TILE: usize = 320
export const SCRATCH_BLOCK: usize = 320 + 4096
