/** Hyperplane for browsers: everything of `./index.ts`, and threads where the page allows them. */

import { setLineFormatter } from './data/libsvm/libsvm-lines.ts'
import { setPlainLineReader } from './data/libsvm/plain-lines.ts'
import { formatOnEngine } from './engine/text/format-lines.ts'
import { linesOnEngine } from './engine/text/parse-lines.ts'
import { useBrowserThreads } from './engine/threads/spawn-thread.browser.ts'

useBrowserThreads()
setPlainLineReader(linesOnEngine())
setLineFormatter(formatOnEngine())

export * from './index.ts'
