// The browser that the tests of pages use: Debian's Chromium without a window, which needs a third less time for them, or else
// its whole Chromium. CHROMIUM names another one.
import { existsSync } from 'node:fs'

/** Debian's browsers, by the name of their packages, the preferred one first. */
export const browsers = ['chromium-headless-shell', 'chromium']

/** Where the browser is, or undefined if there is none. */
export function findChromium() {
  const paths = process.env.CHROMIUM ? [process.env.CHROMIUM] : browsers.map((name) => `/usr/bin/${name}`)
  return paths.find((path) => existsSync(path))
}
