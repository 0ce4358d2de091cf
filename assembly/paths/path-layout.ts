/**
 * The structures of ./path.ts; src/engine/jobs/c-paths.ts writes the same from TypeScript.
 *
 * A path is one dual (src/problems/general-dual.ts) for a row of ascending C: m variables, h held-out samples whose
 * decisions are wanted, all of them numbers of samples in one matrix of products or squared distances.
 */

/** What is to be solved. */
export const PATH_KERNEL: usize = 0
/** u32[columns]: numbers of the samples, the m first. */
export const PATH_SAMPLES: usize = 4
export const PATH_TRAINING: usize = 8 // u32: m
export const PATH_HELD_OUT: usize = 12 // u32: h
/** f64[m] each: t, and the box for C = 1. */
export const PATH_TARGET: usize = 16
export const PATH_LOWER: usize = 20
export const PATH_UPPER: usize = 24
export const PATH_COUNT: usize = 28 // u32: how many C
export const PATH_BOUNDS: usize = 32 // pointer to the C, f64
/** One record for each C. */
export const PATH_RECORDS: usize = 36
/** f64[count][h] */
export const PATH_DECISIONS: usize = 40
/** f64[count][m]: β, or 0 when nobody wants it. */
export const PATH_SOLUTIONS: usize = 44
export const PATH_TUBE: usize = 48 // f64
export const PATH_TOL: usize = 56 // f64
export const PATH_MAX_STEPS: usize = 64 // f64
/** u32[h]: columns of the samples whose decisions are wanted. */
export const PATH_PLACES: usize = 72
/** u32: 1 when K is shared: m are all samples in their order, those that are held out in boxes of width 0. */
export const PATH_SHARES: usize = 76
export const PATH_COLUMNS: usize = 80 // u32: m, and those after them
export const PATH_BYTES: usize = 88

/** What has come of one C. */
export const RECORD_BIAS: usize = 0 // f64, as the following
export const RECORD_DUAL: usize = 8
export const RECORD_VIOLATION: usize = 16
export const RECORD_STEPS: usize = 24
/** About how many nanoseconds it took. */
export const RECORD_WORK: usize = 32
export const RECORD_SUPPORT: usize = 40 // u32
export const RECORD_BOUNDED: usize = 44 // u32
/** u32: 0 not reached, 1 converged, 2 steps used up or nothing moves any more. */
export const RECORD_STATUS: usize = 48
export const RECORD_BYTES: usize = 56

/** What a thread works with. Pointers first; those marked [m] have room for the longest path, padded by 16. */
export const SPACE_PATH: usize = 0 // the path under way, 0 for none
export const SPACE_PHASE: usize = 4
export const SPACE_INDEX: usize = 8 // of the present C
export const SPACE_K: usize = 12 // f32[m][stride]: kernel values of the training samples with all
export const SPACE_STRIDE: usize = 16 // bytes from row to row of K
export const SPACE_COMPACT: usize = 20 // f32: rows and columns of the active samples
export const SPACE_COMPACT_BYTES: usize = 24
export const SPACE_FACTOR: usize = 28 // f64: L of ../dual/cholesky.ts
export const SPACE_FACTOR_BYTES: usize = 32
export const SPACE_BETA: usize = 36 // f64[m]
export const SPACE_G: usize = 40 // f64[m + h]: Kβ for β as it was when last synchronised
export const SPACE_LOWER: usize = 44 // f64[m]
export const SPACE_UPPER: usize = 48 // f64[m]
export const SPACE_SYNCED: usize = 52 // f64[m]: the β that G belongs to
export const SPACE_EXACT: usize = 56 // f64[m]: the β for which G was last computed in f64
export const SPACE_ACTIVE: usize = 60 // u32[m]
export const SPACE_ACTIVE_COUNT: usize = 64
/** Of the active samples, in their order: f32[m] each … */
export const SPACE_V32: usize = 68
export const SPACE_UP32: usize = 72
export const SPACE_LOW32: usize = 76
export const SPACE_DIAGONAL32: usize = 80
/** … and f64[m] each. */
export const SPACE_A_BETA: usize = 84
export const SPACE_A_LOWER: usize = 88
export const SPACE_A_UPPER: usize = 92
export const SPACE_A_TARGET: usize = 96
export const SPACE_A_G: usize = 100
export const SPACE_A_BEFORE: usize = 104
/** Their kernel values and the bytes from row to row: K itself or COMPACT. */
export const SPACE_A_K: usize = 108
export const SPACE_A_STRIDE: usize = 112
/** u32[m] and f64[m + h]: rows to add, and with what; lists made in passing. */
export const SPACE_LIST: usize = 116
export const SPACE_COEFFICIENTS: usize = 120
/** f64[m] each: a move, and what it does to g. */
export const SPACE_P: usize = 124
export const SPACE_Q: usize = 128
/** Of ../dual/active-set.ts: pairs of f64 [m] each, and u8[m]. */
export const SPACE_PAIRS: usize = 132
export const SPACE_TURNS: usize = 136
export const SPACE_KINDS: usize = 140
export const SPACE_FILLED: usize = 144 // u32: rows of K made so far
export const SPACE_STUCK: usize = 148 // u32: 1 when nothing moves any more
/** f64 */
export const SPACE_STEPS: usize = 152 // of this C
export const SPACE_WORK: usize = 160 // nanoseconds, roughly: what this C has cost,
export const SPACE_CREDIT: usize = 168 // and what ../dual/active-set.ts may spend
export const SPACE_VIOLATION: usize = 176
export const SPACE_HIGHEST: usize = 184 // max of v + up
export const SPACE_LOWEST: usize = 192 // min of v + low
export const SPACE_LAMBDA: usize = 200
export const SPACE_OWN_K: usize = 208 // room for a K of its own
export const SPACE_SLOTS: usize = 212 // the slots of all threads
export const SPACE_SLOT: usize = 216 // the one in use, 0 for none
export const SPACE_GATHERED: usize = 220 // u32: how many samples COMPACT is of, 0 for none
export const SPACE_COMPACT_STRIDE: usize = 224 // bytes from row to row of COMPACT
export const SPACE_PLACES: usize = 228 // u32[m]: where in COMPACT a sample is
/** Lists of ../dual/sparse-rows.ts for the rows of K, of COMPACT and of A_K; 0 where these are not mostly zero. */
export const SPACE_LISTS: usize = 232
export const SPACE_COMPACT_LISTS: usize = 236
export const SPACE_A_LISTS: usize = 240
export const SPACE_OWN_LISTS: usize = 244 // room for those of a K of its own
export const SPACE_BLOCKS: usize = 248 // u32: blocks of a K of its own that are not zero, so far
export const SPACE_A_BLOCKS: usize = 252 // u32: the same of A_K
/** u32[m]: the samples that L is of, in its order; how many, 0 for none; bytes from row to row. */
export const SPACE_FACTORED: usize = 256
export const SPACE_FACTORED_COUNT: usize = 260
export const SPACE_FACTOR_STRIDE: usize = 264
export const SPACE_STORE: usize = 268 // rows in f64, ./exact-store.ts: those of the slot, or …
export const SPACE_OWN_STORE: usize = 272
export const SPACE_BYTES: usize = 280

/**
 * Paths of the same kernel that share K find it in a slot; there are as many as threads, so that one is always free for a
 * kernel that has none. First a lock and the number of slots, then the slots.
 */
export const SLOTS_LOCK: usize = 0
export const SLOTS_COUNT: usize = 4
export const SLOTS_FIRST: usize = 8
export const SLOT_K: usize = 0
export const SLOT_KERNEL: usize = 4 // u32: whose K it is, 0 for nobody's
export const SLOT_USERS: usize = 8 // u32: threads that use it
export const SLOT_NEXT: usize = 12 // u32: first row that nobody has begun to fill
export const SLOT_DONE: usize = 16 // u32: rows that are filled
export const SLOT_LISTS: usize = 20 // those of ../dual/sparse-rows.ts
export const SLOT_BLOCKS: usize = 24 // u32: blocks that are not zero
export const SLOT_STORE: usize = 28 // ./exact-store.ts
export const SLOT_BYTES: usize = 32
