/** Problems and solvers: the optimisation problems, the methods that solve them, certificates and diagnosis. */

export type { Certificate, Evidence, Measures, Solution, StopReason } from './certify/certificate.ts'
export type { Examination } from './certify/certifier.ts'
export {
  type Diagnosis,
  type DiagnosisOptions,
  diagnose,
  type MultiplierCase,
  type SamplePosition,
} from './certify/diagnosis.ts'
export { measure } from './certify/measure.ts'
export type { GeneralDual } from './problems/general-dual.ts'
export { generalDualOf } from './problems/general-form.ts'
export {
  makeNuSvcProblem,
  makeNuSvrProblem,
  makeOneClassProblem,
  makeSvrProblem,
  type NuSvcProblem,
  type NuSvrProblem,
  type OneClassProblem,
  type Problem,
  type SvrProblem,
  type Task,
} from './problems/kernel-problem.ts'
export type { LinearLoss, TubeLoss } from './problems/linear-loss.ts'
export {
  type LinearMachineOptions,
  type LinearMachineProblem,
  makeLinearMachine,
} from './problems/linear-problem.ts'
export {
  cFromLambda,
  cFromSumLambda,
  cFromUnhalvedC,
  lambdaFromC,
  sumLambdaFromC,
  unhalvedCFromC,
} from './problems/mappings.ts'
export {
  type BiasForm,
  type Loss,
  makeProblem,
  type ProblemOptions,
  type SvmProblem,
} from './problems/problem.ts'
export type { ModelStep } from './solve/driver/model-step.ts'
export { type Progress, type RunOptions, type SolveResult, solve, solveSync } from './solve/driver/run.ts'
export type {
  LinearStart,
  Solver,
  SolverContext,
  SolverEnd,
  SolverRun,
  SolverState,
} from './solve/driver/solver.ts'
export { type TraceOptions, type TracePoint, traceToCsv } from './solve/driver/trace.ts'
export { type GeneralBias, generalBias } from './solve/dual/general-bias.ts'
export type { SmoStep } from './solve/dual/pair-step.ts'
export { fallOf, riseOf } from './solve/dual/rates.ts'
export { type NewtonOptions, newton } from './solve/methods/newton.ts'
export { type PegasosOptions, pegasos } from './solve/methods/pegasos.ts'
export {
  type LinearSolverName,
  linearSolverNames,
  linearSolvers,
  type SolverName,
  solverNames,
  solvers,
} from './solve/methods/registry.ts'
export { type SdcaOptions, sdca } from './solve/methods/sdca.ts'
export { type SmoOptions, smo } from './solve/methods/smo.ts'
export { smoMvp } from './solve/methods/smo-mvp.ts'
export { type SmoPlattOptions, smoPlatt } from './solve/methods/smo-platt.ts'
export { type SmoRandomOptions, smoRandom } from './solve/methods/smo-random.ts'
export { type SmoSimplifiedOptions, smoSimplified } from './solve/methods/smo-simplified.ts'
export { subgradient } from './solve/methods/subgradient.ts'
export { type WorkingSetOptions, workingSet } from './solve/methods/working-set.ts'
export type { Claim, VerifiedPart } from './verify/claims.ts'
