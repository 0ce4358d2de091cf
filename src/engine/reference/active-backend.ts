import type { ComputeBackend } from './backend.ts'
import { referenceBackend } from './reference.ts'

let active = referenceBackend

/** The backend that kernels use for the evaluators they make from now on. */
export function activeBackend(): ComputeBackend {
  return active
}

/** Makes `backend` the active one and returns the one it replaces. Evaluators made before keep theirs. */
export function useBackend(backend: ComputeBackend): ComputeBackend {
  const replaced = active
  active = backend
  return replaced
}
