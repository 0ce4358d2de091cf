/** Hyperplane for browsers: everything of `./index.ts`, and threads where the page allows them. */
import { formatOnEngine } from './compute/format-on-engine.ts'
import { linesOnEngine } from './compute/lines-on-engine.ts'
import { useBrowserThreads } from './compute/spawn-thread.browser.ts'
import { setLineFormatter } from './data/libsvm-lines.ts'
import { setPlainLineReader } from './data/plain-lines.ts'

useBrowserThreads()
setPlainLineReader(linesOnEngine())
setLineFormatter(formatOnEngine())

export * from './index.ts'
