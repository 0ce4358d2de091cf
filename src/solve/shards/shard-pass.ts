/**
 * A shard pass: what is to be computed on every block, as plain data, so that any process can do it (./run-shard-pass.ts). The
 * result on a block is a pure function of the pass, the block and the states that the pass names.
 */

/** The version of passes that this program makes and runs. */
export const PASS_VERSION = 1

/** What is to be computed on every block, as plain data. Made of numbers, texts, lists, objects and typed arrays: ../../base/packing.ts keeps every bit. */
export interface ShardPass {
  readonly version: typeof PASS_VERSION
  /** The run that it is a part of: states belong to one. */
  readonly run: string
  readonly kind: PassKind
  /** The parameters, by kind. */
  readonly body: object
}

/** The kinds of passes. */
export type PassKind = 'linear' | 'kernel-weights' | 'kernel-solve' | 'kernel-measure'

/**
 * State of a block between passes, such as its dual variables, named within run and block. Only one pass writes a name, so
 * that repeating it changes nothing.
 */
export interface BlockStates {
  load(name: string): Promise<Uint8Array | undefined>
  save(name: string, value: Uint8Array): Promise<void>
}
