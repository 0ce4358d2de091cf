// What is wrong with our side of a problem of the sweep.

/**
 * Seconds beyond start-up that are no fault yet: CPU times of LIBSVM are known to a hundredth, and how much of our code is
 * compiled in a run of a tenth of a second differs by some hundredths from one run to the next.
 */
const noise = 0.05

/**
 * Seconds by which our command is slower than LIBSVM's beyond its start-up and noise, by the clock that speaks for us: wall
 * time, or CPU time of the main thread. Nothing can be said where one of them did not end.
 */
export function excessTime({ hyperplane, libsvm }, start) {
  if (hyperplane.failure || libsvm.failure) return 0
  const excess = (clock) => hyperplane[clock] - start[clock] - libsvm[clock]
  return Math.min(excess('seconds'), excess('mainSeconds')) - noise
}

/** A few words for each fault; none for a problem that is as it should be. */
export function faultsOf(tools, start, { certified }) {
  const { hyperplane, libsvm } = tools
  if (hyperplane.failure) return libsvm.failure ? [] : [`ends not: ${hyperplane.failure}`]
  const excess = excessTime(tools, start)
  return [
    ...(excess > 0 ? [`slower by ${(excess + noise).toFixed(2)} s beyond start-up`] : []),
    ...(certified === false && !libsvm.failure ? ['not within the tolerance'] : []),
  ]
}
