/** Installs all builds of the engine, when this file is imported: what trains comes with them. */
import { relaxed, scalar, simd } from './engine-binaries.ts'
import { installBuilds } from './engine-build.ts'

installBuilds({ relaxed, simd, scalar })
