// How many times faster one tool is than another, from the results of a run.

/** Time of a peer by time of ours; undefined when one of them did not run to its end. */
export function ratio({ tools }, peer, ours = 'hyperplane') {
  const [slow, fast] = [tools[peer]?.best, tools[ours]?.best]
  return slow > 0 && fast > 0 ? slow / fast : undefined
}

/** All ratios of a list of sets, those that exist, as `[name, ratio]`. */
export function ratios(sets, peer, ours) {
  return sets.map((set) => [set.name, ratio(set, peer, ours)]).filter(([, value]) => value !== undefined)
}
