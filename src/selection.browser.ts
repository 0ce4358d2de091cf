/** Model selection for browsers: everything of `./selection.ts`, and threads where the page allows them. */
import './parallel/platform.browser.ts'

export * from './selection.ts'
