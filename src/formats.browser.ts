/** File formats for browsers: everything of `./formats.ts`, and threads where the page allows them. */
import './parallel/platform.browser.ts'

export * from './formats.ts'
