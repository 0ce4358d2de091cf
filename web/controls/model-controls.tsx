/** What is trained, and how: problem, C, kernel, solver, tolerance. */
import { Fragment } from 'preact'
import type { SolverName } from '../../src/index.ts'
import type { ProblemType } from '../state/lab-state.ts'
import { configure, settings } from '../state/store.ts'
import { Explain } from '../words/explain.tsx'
import { Menu, Slider, WholeNumber } from './fields.tsx'
import { InTurn } from './in-turn.tsx'
import { KernelEditor } from './kernel-editor.tsx'
import { defaultTol, solverWords, suits } from './solver-names.ts'

const problems: readonly (readonly [ProblemType, string])[] = [
  ['svc', 'classification (C-SVC)'],
  ['nu-svc', 'classification (ν-SVC)'],
  ['one-class', 'one class (outliers)'],
  ['svr', 'regression (ε-SVR)'],
]

/** See the header of the file. Modes that choose solvers themselves leave the menu of solvers out. */
export function ModelControls({ withSolver = true }: { readonly withSolver?: boolean }) {
  const { problem, C, nu, epsilon, kernel, solver, tol, seed } = settings.value
  const usesC = problem === 'svc' || problem === 'svr'
  const usesNu = problem === 'nu-svc' || problem === 'one-class'
  return (
    <section class="card" aria-labelledby="model-title">
      <InTurn>
        <Fragment>
          <h2 id="model-title">Model</h2>
          <Menu
            label="Problem"
            value={problem}
            options={problems}
            onChange={(next) =>
              configure({ problem: next, ...(next !== 'svc' && { solver: 'smo' as const }) })
            }
          />
          {usesC && (
            <Slider
              label="penalty C"
              value={C}
              min={-3}
              max={5}
              log
              onInput={(next) => configure({ C: next }, 'C')}
            />
          )}
          {usesNu && (
            <Slider
              label="fraction ν"
              value={nu}
              min={0.01}
              max={0.99}
              step={0.01}
              onInput={(next) => configure({ nu: next }, 'nu')}
            />
          )}
          {problem === 'svr' && (
            <Slider
              label="tube ε"
              value={epsilon}
              min={0}
              max={1}
              step={0.01}
              onInput={(next) => configure({ epsilon: next }, 'epsilon')}
            />
          )}
          <Explain
            topic={problem === 'one-class' ? 'oneClass' : usesNu ? 'nu' : problem === 'svr' ? 'tube' : 'C'}
          />
        </Fragment>
        <Fragment>
          <KernelEditor
            spec={kernel}
            onChange={(next, group) =>
              configure(
                { kernel: next, ...(!suits(solver, next) && { solver: 'smo' as const, tol: 1e-3 }) },
                group,
              )
            }
          />
          <Explain topic="kernel" />
        </Fragment>
        <Fragment>
          {withSolver && problem === 'svc' && <SolverMenu />}
          {problem === 'svc' && (!withSolver || solverWords[solver].isRandom) && (
            <WholeNumber label="random seed" value={seed} onChange={(next) => configure({ seed: next })} />
          )}
          <Slider
            label="tolerance"
            value={tol}
            min={-8}
            max={-1}
            step={0.5}
            log
            onInput={(next) => configure({ tol: next }, 'tol')}
          />
          <Explain topic="solver" />
        </Fragment>
      </InTurn>
    </section>
  )
}

/** The menu of solvers, those that cannot be used with this kernel disabled. */
function SolverMenu() {
  const { solver, kernel } = settings.value
  const names = Object.keys(solverWords) as SolverName[]
  return (
    <>
      <Menu
        label="Solver"
        value={solver}
        options={names.map((name) => {
          const usable = suits(name, kernel)
          return [
            name,
            usable ? solverWords[name].title : `${solverWords[name].title} (linear only)`,
            !usable,
          ]
        })}
        onChange={(next) => configure({ solver: next, tol: defaultTol(next) })}
      />
      <p class="hint">{solverWords[solver].words}</p>
    </>
  )
}
