/**
 * The structures that TypeScript and the primitives of assembly/ share, and the numbers they agree on. This table is the only
 * description: scripts/build.js makes assembly/structures.ts of it, where field `entryEnds` of MATRIX is the byte offset
 * MATRIX_ENTRY_ENDS and the size is MATRIX_BYTES; TypeScript writes and reads fields by name (./fields.ts).
 *
 * Everything lives in one linear memory. A field is a u32, an f64, or this many bytes that begin on a cache line. Pointers are byte offsets (u32).
 *
 * Query block: QUERIES rows of samples, interleaved so that one gather serves them all:
 *
 *     feature 0              feature 1              …
 *     [q0 q1 q2 … q15] f32   [q0 q1 q2 … q15] f32   …      64 bytes per feature: one cache line
 *
 * Tile: TILE samples × QUERIES products, [sample][query] f32, the scratch between products and kernel values.
 */
import { f64, u32 } from './lay-out.ts'
import { linearStructures, PASS_KINDS } from './linear-structures.ts'

export { layOut } from './lay-out.ts'

/** Query rows in a block. */
export const QUERIES = 16
/** Query rows in a block of f64 values; see assembly/sums/exact.ts. */
export const EXACT_QUERIES = 8
/** Samples in a tile. */
export const TILE = 64
/** Bytes that a feature takes in a query block, of either kind: a cache line. */
export const QUERY_BYTES = 64
/** Entries for products in integers: rows of them are padded to a multiple of this. */
export const ENTRIES_PADDING = 4

/** Forms in which the products of a matrix are computed; see assembly/kernel/integer-products.ts. */
export const FORMS = { floating: 0, counts: 1, pairs: 2 } as const

/** The kernels that the engine knows. */
export const KERNEL_KINDS = { linear: 0, polynomial: 1, rbf: 2, sigmoid: 3 } as const

/** The kinds of jobs; see ./jobs.ts. */
export const JOB_KINDS = {
  'kernel-rows': 0,
  'subtract-rows': 1,
  expand: 2,
  exact: 3,
  parse: 4,
  accumulate: 5,
  distances: 6,
  paths: 7,
  'kernel-matrix': 8,
  format: 9,
  prepare: 10,
  centre: 11,
  entries: 12,
  'exact-rows': 13,
  ...PASS_KINDS,
} as const

/**
 * Kernel rows that the active set asks for together at most, and subtracts together: the blocks of v stay in the cache
 * meanwhile.
 */
export const MOST_NEEDED = 64
/**
 * What `advanceSet` of the active set returns: through a cycle; out of turns; kernel rows are needed; the work asked for is
 * done.
 */
export const ADVANCE_ENDS = { cycleEnded: 0, outOfTurns: 1, rowsNeeded: 2, workDone: 3 } as const

/** How the solution of a path for one C has ended; 0 until it is there. */
export const PATH_STATUSES = { converged: 1, stopped: 2 } as const

/** See the header of the file. */
export const structures = {
  /** A matrix of samples. */
  MATRIX: {
    /** 1 dense, 0 sparse. */
    dense: u32,
    cols: u32,
    /** u32[rows + 1], and u32[non-zeros] column · 64 (sparse). */
    indptr: u32,
    offsets: u32,
    /** f32[non-zeros] or f32[rows · cols]; then f32[rows]: ½‖x‖². */
    values: u32,
    norms: u32,
    /** The values in f64, in the same order; then f64[rows]: ‖x‖². */
    exact: u32,
    exactNorms: u32,
    /** One of FORMS; what integers are multiples of; u32[rows + 1] pointers to entries: where each row begins, and ends. */
    form: u32,
    unit: f64,
    entryEnds: u32,
    /** Most values in a row. */
    longest: u32,
    /** The matrix that rows were copied from, which has their f64 values, or 0; u32[rows]: which of its rows they are. */
    origin: u32,
    originRows: u32,
  },
  /** A kernel: `kind` is one of KERNEL_KINDS. */
  KERNEL: {
    kind: u32,
    degree: u32,
    gamma: f64,
    coef0: f64,
    /** 1 where β adds up to 0, so that a constant may be taken from all values: f32 rows of paths do so where it pays. */
    balanced: u32,
  },
  /**
   * Which sums coefficients belong to. Samples come in groups, and each has `rows` coefficients, [row][sample]; the one in
   * row r of a sample of group g goes to sum number targets[g · rows + r].
   */
  SUMS: {
    rows: u32,
    /** Coefficients in a row. */
    stride: u32,
    /** u32[groups]: where each group ends. */
    ends: u32,
    /** u32[groups · rows] */
    targets: u32,
    /** Sums per query. */
    outputs: u32,
    /**
     * Where there are several rows, most coefficients are 0, and the others are listed: by tile of samples, group and row. u32 for
     * each such list: where it ends; u32 for each coefficient: where in the tile its sample is, in bytes. Else 0.
     */
    listEnds: u32,
    listed: u32,
  },
  /** What a thread needs to know of the queries of a block, sums, a tile, and the block, which is all zeros between tasks. */
  SCRATCH: {
    /** f32[16]: ½‖q‖², or f64[8]: ‖q‖². */
    norms: 64,
    /** f64[16] */
    sums: 128,
    /** u32[16]: which rows of their matrix the queries are; then that matrix. */
    rows: 64,
    source: u32,
    /** A bit for each query that is far; see assembly/kernel/far.ts. */
    far: u32,
    tile: TILE * QUERY_BYTES,
    block: 0,
  },
  /** Work shared between threads (assembly/jobs.ts); ./jobs.ts says which fields a kind of job has. */
  JOB: {
    /** One of JOB_KINDS. */
    kind: u32,
    tasks: u32,
    /** The next task that no thread has started (atomic). */
    next: u32,
    matrix: u32,
    kernel: u32,
    from: u32,
    to: u32,
    /** Samples, rows or columns of a task. */
    chunk: u32,
    /** The matrix that query rows come from, their row numbers (u32), and how many there are. */
    queryMatrix: u32,
    queries: u32,
    count: u32,
    /** u32 pointers to rows, one per query. */
    rows: u32,
    /** f64 */
    coefficients: u32,
    /** The f64 vector that rows are subtracted from. */
    vector: u32,
    /** u32 rows of the matrix. */
    samples: u32,
    /** A SUMS structure for several sums per query, whose results are [task][sum][query]; 0 for one, results [query]. */
    layout: u32,
    /** f64 */
    results: u32,
    /** RUN, LINES or PASS structures, one per task. */
    runs: u32,
    /** Whether f32 copies are kept; f64 means of columns; u32[rows] for how many pairs of columns have values, or 0. */
    rounded: u32,
    means: u32,
    pairs: u32,
    /** A u32: 1 as soon as a value has no entry. */
    refused: u32,
    /** The f32 matrix of distances or products of all samples, and the bytes from row to row. */
    distances: u32,
    stride: u32,
    /** 1 when kernel values are wanted in place of distances or products. */
    transformed: u32,
    /** PATH structures; u32 pointers to SPACE structures, one per thread; the next of them (atomic); 1 asks to stop. */
    paths: u32,
    spaces: u32,
    nextSpace: u32,
    stop: u32,
  },
  /** A run of LIBSVM lines to be parsed (assembly/text/parse.ts). Up to `maxOpen` fields are given, the others found. */
  RUN: {
    /** The text, and behind its last newline. */
    from: u32,
    to: u32,
    /** f64[rows][labelCount]; u32, one per row: values stored up to its end. */
    labels: u32,
    labelCount: u32,
    rowEnds: u32,
    /** u32: indices less 1; f64: their values. Zeros are not stored. */
    indices: u32,
    values: u32,
    /** OPEN structures. */
    open: u32,
    maxRows: u32,
    maxOpen: u32,
    /** 1 when all lines were plain; else the rest says nothing. */
    plain: u32,
    /** With blank ones. */
    lines: u32,
    rows: u32,
    stored: u32,
    openCount: u32,
    /** 1 when some index is 0. */
    zeroSeen: u32,
    /** Largest index + 1, 0 without rows; where it is first: line and column, both from 1. */
    largest: u32,
    largestLine: u32,
    largestColumn: u32,
  },
  /** A number whose rounding is left open: where its f64 is, where its text begins and ends. */
  OPEN: { value: u32, from: u32, to: u32 },
  /** A run of LIBSVM lines to be written (assembly/text/format.ts). The last field is found, the others are given. */
  LINES: {
    count: u32,
    /** What lines begin with: a text, and u32 pointers, one per line, where its own ends; or, where there are any, numbers. */
    text: u32,
    textEnds: u32,
    /** How many numbers, and f64[numberCount][stride], the first of which is the first line's. */
    numberCount: u32,
    numbers: u32,
    stride: u32,
    /** u32, one per line: values up to its end. */
    rowEnds: u32,
    /** u32, or 0 for dense rows; f64. */
    indices: u32,
    values: u32,
    /** What the first column is called. */
    base: u32,
    /** Where the lines go, and behind them; the latter is 0 when they hold a number that cannot be written here. */
    out: u32,
    end: u32,
  },
  ...linearStructures,
  /**
   * One dual (src/problems/general-dual.ts) for a row of ascending C (assembly/paths/path.ts): m variables, h held-out samples
   * whose decisions are wanted, all of them numbers of samples in one matrix of products or squared distances.
   */
  PATH: {
    kernel: u32,
    /** u32[columns]: numbers of the samples, the m first. */
    samples: u32,
    /** m, and h. */
    training: u32,
    heldOut: u32,
    /** f64[m] each: t, and the box for C = 1. */
    target: u32,
    lower: u32,
    upper: u32,
    /** How many C, and f64[]: which; f64[]: what β adds up to on either side of 0, or 0 where only its sum is fixed. */
    count: u32,
    bounds: u32,
    sums: u32,
    /** RECORD structures, one for each C. */
    records: u32,
    /** f64[count][h]; f64[count][m]: β, or 0 when it is not wanted. */
    decisions: u32,
    solutions: u32,
    tube: f64,
    tol: f64,
    maxSteps: f64,
    /** u32[h]: columns of the samples whose decisions are wanted. */
    places: u32,
    /** 1 when K is shared: m are all samples in their order, those that are held out in boxes of width 0. */
    shares: u32,
    /** 1 when the matrix has kernel values, as all paths have the same kernel; K is the matrix itself. */
    transformed: u32,
    /** m, and those after them. */
    columns: u32,
    /** 1 when rows of K are made of the samples as they are needed (assembly/paths/pair-rows.ts); then there are two classes … */
    onDemand: u32,
    /** … the first of which has this many samples; those of each follow one another in the matrix. */
    split: u32,
    /** f32 by number of the sample: k(x, x); an OWN_ROWS structure. */
    diagonal: u32,
    ownRows: u32,
    /** Standard deviation of kernel values, as a share of them, beyond what rounding them to f32 makes. */
    valueError: f64,
    /** A PATH whose solution it starts from, or 0; f64[columns]: Kβ at the end, where others start from it, else 0. */
    seed: u32,
    finalG: u32,
  },
  /** k(x, class of x) of all samples, for all pairs that the class is in. */
  OWN_ROWS: {
    /** u32[samples]: where each goes, 0 where there is no room; u32[samples]: 0, or whether it is being made or there. */
    pieces: u32,
    states: u32,
  },
  /** What has come of one C. */
  RECORD: {
    bias: f64,
    /** Half of what the rates of the two sides of 0 differ by, where their sums are fixed. */
    width: f64,
    dual: f64,
    /** Σ |β| */
    size: f64,
    violation: f64,
    steps: f64,
    /** About how many nanoseconds it took. */
    work: f64,
    support: u32,
    bounded: u32,
    /** 0, or one of PATH_STATUSES. */
    status: u32,
  },
  /** What a thread works with on paths. Arrays marked [m] have room for the longest path, padded by 16. */
  SPACE: {
    /** The path under way, 0 for none. */
    path: u32,
    phase: u32,
    /** Of the present C. */
    index: u32,
    /** f32[m][stride]: kernel values of the training samples with all; bytes from row to row. */
    k: u32,
    stride: u32,
    /**
     * Of a path that makes its rows (assembly/paths/pair-rows.ts): u32[m][2], where column 0 of each of the two pieces of a row is or would
     * be; the column at which the second begins, 0 where rows are whole; and where the next piece goes.
     */
    pieces: u32,
    secondPiece: u32,
    nextPiece: u32,
    /** Where these are k − 1 (assembly/paths/path-kernel.ts): |k − 1| at most; else 0. */
    spread: f64,
    /** f32: rows and columns of the active samples. */
    compact: u32,
    compactBytes: u32,
    /** Of assembly/dual/active-set.ts; its variables at most, and how many of them may be free. */
    set: u32,
    setCapacity: u32,
    setRoom: u32,
    /** f64[m] */
    beta: u32,
    /** f64[m + h]: Kβ for β as it was when last synchronised. */
    g: u32,
    /**
     * f64[m] each: the box, the β that g belongs to, the one that g of the h belongs to where these have their own columns, the β for
     * which g was last computed in f64.
     */
    lower: u32,
    upper: u32,
    synced: u32,
    told: u32,
    exact: u32,
    /** f64[m + h]: Kβ in f64 for the latter; how many rows were added to it since it was last computed from scratch. */
    exactSums: u32,
    exactTerms: u32,
    /** u32[m] */
    active: u32,
    activeCount: u32,
    /** Of the active samples, in their order: f32[m] each … */
    v32: u32,
    up32: u32,
    low32: u32,
    diagonal32: u32,
    /** … and f64[m] each. */
    aBeta: u32,
    aLower: u32,
    aUpper: u32,
    aTarget: u32,
    aG: u32,
    aBefore: u32,
    /** Their kernel values and the bytes from row to row: k itself or compact. */
    aK: u32,
    aStride: u32,
    /** u32[m] and f64[m + h]: rows to add, and with what; lists made in passing. */
    list: u32,
    coefficients: u32,
    /** f64[m] each, in passing: of the active samples v and the diagonal, or what sparse-pair-loop.ts knows of blocks. */
    p: u32,
    q: u32,
    /** Pairs of u32 [m] each: runs of samples or claimed rows, in passing; where in L each sample is. */
    pairs: u32,
    ranks: u32,
    /** 1 when nothing moves any more; 1 when some that want to move were left out. */
    stuck: u32,
    limited: u32,
    /** Of this C; then nanoseconds, roughly: what it has cost, and what assembly/dual/active-set.ts may spend. */
    steps: f64,
    work: f64,
    credit: f64,
    violation: f64,
    /** max of v + up, min of v + low; where sums of sides are fixed, of the side above 0, and then of the other. */
    highest: f64,
    lowest: f64,
    otherHighest: f64,
    otherLowest: f64,
    /** 1 while the sums of both sides are fixed; of the active samples, how many are above 0, and where the others begin. */
    sided: u32,
    above: u32,
    split: u32,
    /** u8[m]: the side of each active sample. */
    groups: u32,
    /** Room for kernel values of its own; the slots of all threads; the one in use, 0 for none. */
    ownK: u32,
    slots: u32,
    slot: u32,
    /** How many samples compact is of, 0 for none; bytes from row to row; u32[m]: where in it a sample is. */
    gathered: u32,
    compactStride: u32,
    places: u32,
    /** Lists of assembly/dual/sparse-rows.ts for the rows of k, compact and aK; 0 where these are not mostly zero. */
    lists: u32,
    compactLists: u32,
    aLists: u32,
    /** Room for those of kernel values of its own; blocks of k that are not zero; the same of aK. */
    ownLists: u32,
    blocks: u32,
    aBlocks: u32,
    /** u32[m]: the samples that L of the set is of, in its order; how many, 0 for none. */
    factored: u32,
    factoredCount: u32,
    /** Rows in f64, a STORE: that of the slot, or its own. */
    store: u32,
    ownStore: u32,
    /** f64[EXACT_QUERIES][columns]: such rows where the store has no room for them. */
    passing: u32,
    /** u8[m]: 1 for rows of k that are there, where they are made as they are needed; u32[48] for making them. */
    made: u32,
    batch: u32,
    /** What the violation of the active samples has to come down to, where they are not all that want to move. */
    goal: f64,
    /**
     * Pairs of u32: stretches of consecutive samples among the m, then among the h, of a path over some of the samples; how many of
     * either, 0 for other paths; 1 when k is that of all samples, 0 when its rows are of the m alone.
     */
    runs: u32,
    runCount: u32,
    heldOutRuns: u32,
    borrows: u32,
    /** 1 when compact has lists. */
    compactSparse: u32,
  },
  /**
   * Paths of the same kernel that share its values find them in a slot; there are as many as threads, so that one is always
   * free for a kernel that has none. SLOT structures follow.
   */
  SLOTS: {
    lock: u32,
    count: u32,
    /** How many samples there are in all, bytes from row to row of K, and u32[]: the numbers of all samples. */
    rows: u32,
    stride: u32,
    everybody: u32,
  },
  /** See SLOTS. */
  SLOT: {
    k: u32,
    /** The kernel whose values they are, or 0; how many threads use them. */
    kernel: u32,
    users: u32,
    /** First row that no thread has started to fill; rows that are filled. */
    next: u32,
    done: u32,
    /** Lists of assembly/dual/sparse-rows.ts, 0 where nobody has use for them, and blocks that are not zero. */
    lists: u32,
    blocks: u32,
    store: u32,
  },
  /** Kernel rows in f64 (assembly/paths/exact-store.ts). */
  STORE: {
    /** Rows so far, and at most. */
    used: u32,
    room: u32,
    /** f64[room][columns] */
    rows: u32,
    /** u32[m]: where the row of each variable is. */
    states: u32,
  },
  /**
   * What the block solver knows between rounds and of the one under way (src/solve/blocks/engine-dual-point.ts): pointers, by position
   * among the active variables, by sample, and by variable of the working set.
   */
  ROUND: {
    tube: f64,
    /** u32: sample numbers; f64: v, up and low; u8: groups, or 0 where there is but one; f64[4] of each group: its extremes. */
    active: u32,
    v: u32,
    up: u32,
    low: u32,
    groups: u32,
    extremes: u32,
    /** By sample. f64: β, its box and k(x, x). */
    beta: u32,
    lower: u32,
    upper: u32,
    diagonal: u32,
    /** Scratch of the choice, for all variables: f64, u32, and u8 that are all 0. */
    keys: u32,
    positions: u32,
    taken: u32,
    /** u32: positions of the working set, `size` of them at most, the oldest members first; where those that stay were before. */
    size: u32,
    set: u32,
    slots: u32,
    /** u32: how many are in the set; variables with fillers; values from row to row of K; where fillers begin, where the second group. */
    setSize: u32,
    count: u32,
    stride: u32,
    fillers: u32,
    split: u32,
    /** By variable of the working set, in the order of the pair loop. u32: position and sample; f32[stride]: K, and u32 pointers to its rows. */
    setPositions: u32,
    setSamples: u32,
    k: u32,
    rows: u32,
    /** f32: v, up, low, k(x, x); f64: β now and before, its box, and k(x, x) as the engine computes it. */
    setV: u32,
    setUp: u32,
    setLow: u32,
    setDiagonal: u32,
    setBeta: u32,
    setBefore: u32,
    setLower: u32,
    setUpper: u32,
    computedDiagonal: u32,
    /** u32 and f64: samples whose β has changed, and by how much. */
    changed: u32,
    coefficients: u32,
  },
  /** What the active set says of itself (assembly/dual/active-set.ts): the head of its state. */
  ACTIVE_SET: {
    /** Moves, and about how many multiply-adds they took without kernel rows. */
    turns: f64,
    work: f64,
    /** As of the last cycle, the largest m − M of a group, and the dual value. */
    violation: f64,
    value: f64,
    /** How many are free, or will be; cycles in a row without any move; 1 when the kernel was seen not to be positive. */
    size: f64,
    idle: f64,
    indefinite: f64,
  },
} as const satisfies Record<string, Record<string, number>>
