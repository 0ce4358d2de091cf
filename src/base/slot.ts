/** A place for something of which there is one in the process, and which the entry of a platform may replace. */
export interface Slot<T> {
  /** What is installed. */
  readonly current: T
  /** Installs `value` and returns what it replaces. */
  install(value: T): T
}

/** A slot that holds `initial` until something is installed. */
export function slot<T>(initial: T): Slot<T> {
  let current = initial
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
