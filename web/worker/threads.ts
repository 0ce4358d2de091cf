/** Threads that training may use: a core is left to the page, which paints and answers meanwhile. */
export const labThreads = Math.max(1, navigator.hardwareConcurrency - 1)
