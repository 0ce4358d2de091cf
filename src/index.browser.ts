/** Hyperplane for browsers: everything of `./index.ts`, and threads where the page allows them. */
import { linesOnEngine } from './compute/lines-on-engine.ts'
import { useBrowserThreads } from './compute/spawn-thread.browser.ts'
import { setPlainLineReader } from './data/plain-lines.ts'

useBrowserThreads()
setPlainLineReader(linesOnEngine())

export * from './index.ts'
