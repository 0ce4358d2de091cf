/** The builds of the engine that tests run on: all of them. */
import { setFlagsFromString } from 'node:v8'
import { supportedBuilds } from '../../src/engine/memory/engine-build.ts'

// Node 20 can run relaxed SIMD, but only when told to; later ones do without.
if (process.versions.node.startsWith('20.')) setFlagsFromString('--experimental-wasm-relaxed-simd')

/** Best first. */
export const testedBuilds = supportedBuilds()
