/**
 * Which of two classes a positive decision value means: the one rule for problems, models, files and reports. Classes are
 * counted from 0, ascending. Of two classes alone it is the second, as +1 is of −1 and +1; of a pair among more classes the
 * first, as in LIBSVM.
 */

/** The class that f > 0 means, of two that are among `classCount`. */
export function positiveOf(one: number, other: number, classCount: number): number {
  return classCount === 2 ? Math.max(one, other) : Math.min(one, other)
}

/** The sign of f that means the first of two classes that are among `classCount`. */
export function signOfFirst(classCount: number): 1 | -1 {
  return classCount === 2 ? -1 : 1
}
