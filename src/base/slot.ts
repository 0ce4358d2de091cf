/**
 * State of the process: what there is one of, which the entry of a platform may replace or which is found out once. All of it is
 * in slots, so that `slot(` finds every place, and {@link resetSlots} makes the process as good as new.
 */

/** A place for something of which there is one in the process. */
export interface Slot<T> {
  /** What is installed. */
  readonly current: T
  /** Installs `value` and returns what it replaces. */
  install(value: T): T
}

const resets: (() => void)[] = []

/** A slot that holds `initial` until something is installed. */
export function slot<T>(initial: T): Slot<T> {
  let current = initial
  resets.push(() => {
    current = initial
  })
  return {
    get current() {
      return current
    },
    install(value) {
      const replaced = current
      current = value
      return replaced
    },
  }
}

/** Puts into every slot what it held at first. */
export function resetSlots(): void {
  for (const reset of resets) reset()
}
