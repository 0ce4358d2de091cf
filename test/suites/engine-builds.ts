/** The builds of the engine that tests run on: all that this machine can run. */
import { setFlagsFromString } from 'node:v8'
import { scalar, simd } from '../../src/engine/memory/engine-binaries.ts'
import type { EngineBuild } from '../../src/engine/memory/engine-build.ts'
import { relaxedBuild } from '../../src/engine/memory/relaxed-build.ts'

// Node 20 can run relaxed SIMD, but only when told to; later ones do without.
if (process.versions.node.startsWith('20.')) setFlagsFromString('--experimental-wasm-relaxed-simd')

/** Best first; those that train. */
const binaries = {
  relaxed: relaxedBuild(),
  simd: Buffer.from(simd, 'base64'),
  scalar: Buffer.from(scalar, 'base64'),
} satisfies Partial<Record<EngineBuild, Uint8Array<ArrayBuffer>>>

/** Those of them that this machine can run. */
export const testedBuilds = (Object.keys(binaries) as (keyof typeof binaries)[]).filter((build) =>
  WebAssembly.validate(binaries[build]),
)
