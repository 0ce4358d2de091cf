/** Hyperplane for browsers: everything of `./index.ts`, and threads where the page allows them. */
import './parallel/platform.browser.ts'

export * from './index.ts'
