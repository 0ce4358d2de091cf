/** Problems and solvers for browsers: everything of `./solvers.ts`, and threads where the page allows them. */
import './parallel/platform.browser.ts'

export * from './solvers.ts'
