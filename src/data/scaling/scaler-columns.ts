import { DataError } from '../../base/errors.ts'

/** A scaler keeps two numbers for each feature, also for those that never occur: a GiB. */
const most = 2 ** 26

/** Throws when there are more features than a scaler can keep numbers for; one large index is enough for that. */
export function checkScalerColumns(who: string, cols: number): void {
  if (cols > most) throw new DataError(`${who}: at most ${most} features can be scaled, got ${cols}`)
}
