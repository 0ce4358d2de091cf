/**
 * The dual of every kernel machine here, in signed variables. With β_i = y_i α_i for classifiers, α_i − α*_i for
 * regression and α_i for one class, and g = Kβ:
 *
 *   min over β   ½ βᵀKβ − tᵀβ + ε Σ |β_i|      lower_i <= β_i <= upper_i,   Σ β_i as at the start
 *
 * and, when there are groups, the sum over each group as at the start. One vector decides everything: v_i = t_i − g_i.
 * Raising β_i gains at the rate  v_i − ε (β_i >= 0)  or  v_i + ε (β_i < 0);  lowering it costs
 * v_i − ε (β_i > 0)  or  v_i + ε (β_i <= 0).  With m the largest rate over those that may rise, M the smallest
 * cost over those that may fall (in the same group), the point is optimal when m <= M in every group. The bias lies
 * between the two.
 *
 *                  t            ε    box                          groups       start
 *   C-SVC          y            0    [0, C_i] or [−C_i, 0]         —            0
 *   one class      0            0    [0, w_i]                     —            first ν Σw
 *   ε-SVR          z            ε    [−C_i, C_i]                  —            0
 *   ν-SVC          0            0    [0, w_i] or [−w_i, 0]         by label     first ½ ν Σw of each label
 *   ν-SVR, twice   z, z         0    [0, C_i] and [−C_i, 0]       by half      first ½ C ν Σw of each half
 *
 * ν-SVR has every sample twice: α and α* of one sample may both be positive there.
 */
import type { Samples } from '../data/table/dataset.ts'
import type { AnyKernel } from '../kernels/kernel.ts'

/** The dual form that all kernel machines share. All arrays have one entry per row of `samples`. */
export interface GeneralDual {
  readonly samples: Samples
  /** Its parameters settled. */
  readonly kernel: AnyKernel
  /** t: what g should be. */
  readonly target: Float64Array
  readonly lower: Float64Array
  readonly upper: Float64Array
  /** ε: half the width of the tube in which regression costs nothing; 0 elsewhere. */
  readonly tube: number
  /** 0 or 1 for each variable when the sum over each of the two groups is fixed; absent when only the total is. */
  readonly groups?: Uint8Array | undefined
  /** Whether the second half of the variables is of the samples of the first half once more, in their order: ν-SVR. */
  readonly isDoubled?: boolean | undefined
  /** Where to begin: feasible. Absent: at 0. */
  readonly start?: Float64Array | undefined
}
