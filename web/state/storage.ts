/**
 * What the browser remembers for the page. It may refuse: in a page embedded from another site, with storage blocked, even
 * looking at `localStorage` throws. Then nothing is remembered, and everything else works.
 */

/** What was remembered under a name. */
export function remembered(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined
  } catch {
    return undefined
  }
}

/** Remembers a text under a name, where that is allowed. */
export function remember(name: string, text: string): void {
  try {
    localStorage.setItem(name, text)
  } catch {
    // Nothing is lost but the memory of it.
  }
}
