/** A run within a run: who looks at the outer one sees the state of the inner one, some of it in another form. */
import type { SolverEnd, SolverRun, SolverState } from './solver.ts'

/** What is shown in another form, made of the inner state whenever somebody asks for it. */
export type View = {
  readonly [field in 'alpha' | 'beta' | 'weights' | 'bias' | 'iteration' | 'method' | 'snapshot']?: (
    own: SolverState,
  ) => SolverState[field]
}

/** How a run has ended, and where; it may have ended before it said where it begins. */
interface Ended {
  readonly end: SolverEnd
  readonly state?: SolverState
}

/** See the header of the file. Whoever ends it ends the inner run, too. */
export function* shownRun(inner: SolverRun, view: View): Generator<SolverState, Ended, void> {
  try {
    const first = inner.next()
    if (first.done) return { end: first.value }
    let own = first.value
    const shown = <F extends keyof View>(field: F): SolverState[F] => {
      const other = view[field]
      return other ? other(own) : own[field]
    }
    const state: SolverState = {
      get iteration() {
        return shown('iteration')
      },
      get violation() {
        return own.violation
      },
      get method() {
        return shown('method')
      },
      get alpha() {
        return shown('alpha')
      },
      get beta() {
        return shown('beta')
      },
      get weights() {
        return shown('weights')
      },
      get bias() {
        return shown('bias')
      },
      get snapshot() {
        return shown('snapshot')
      },
    }
    for (;;) {
      yield state
      const { done, value } = inner.next()
      if (done) return { end: value, state }
      own = value
    }
  } finally {
    inner.return({})
  }
}
