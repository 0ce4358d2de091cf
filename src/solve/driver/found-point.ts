/** A feasible dual point of a kernel machine, in the signed variables of ../../problems/general-dual.ts, with its bias. */
export interface FoundPoint {
  /** The samples whose β is not 0, and β of each. */
  readonly support: Uint32Array
  readonly beta: Float64Array
  readonly bias: number
  /** ρ of ν-SVC, ε of ν-SVR; 0 elsewhere. */
  readonly width: number
  readonly steps: number
}
