/** The builds of the engine that tests run on: all that this machine can run. */
import { setFlagsFromString } from 'node:v8'
import * as binaries from '../../src/engine/memory/engine-binaries.ts'
import type { EngineBuild } from '../../src/engine/memory/engine-build.ts'

// Node 20 can run relaxed SIMD, but only when told to; later ones do without.
if (process.versions.node.startsWith('20.')) setFlagsFromString('--experimental-wasm-relaxed-simd')

/** Best first; those that train. */
export const testedBuilds = (['relaxed', 'simd', 'scalar'] as const satisfies EngineBuild[]).filter((build) =>
  WebAssembly.validate(Buffer.from(binaries[build], 'base64')),
)
