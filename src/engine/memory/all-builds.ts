/** Installs all builds of the engine, when this file is imported: what trains comes with them. */
import { scalar, simd } from './engine-binaries.ts'
import { installBuilds } from './engine-build.ts'
import { relaxedBuild } from './relaxed-build.ts'

installBuilds({
  get relaxed() {
    return relaxedBuild()
  },
  simd,
  scalar,
})
