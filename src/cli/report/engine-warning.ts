import { engineIsMissing } from '../../engine/memory/engine-build.ts'

/** Says on stderr that there was no engine to train with: plain code took its place, which takes longer. */
export function warnWithoutEngine(): void {
  if (!engineIsMissing()) return
  process.stderr.write(
    'WARNING: no WebAssembly with shared memory, or no address space for it (see ulimit -v): trained in plain code, ' +
      'which is slower and reaches the same tolerance with different last digits\n',
  )
}
