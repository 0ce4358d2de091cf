/** Hyperplane for browsers: everything of `./index.ts`, and threads where the page allows them. */
import { useBrowserThreads } from './compute/spawn-thread.browser.ts'

useBrowserThreads()

export * from './index.ts'
