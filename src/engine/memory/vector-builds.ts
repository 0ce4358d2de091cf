/**
 * Installs the builds of the engine that need SIMD, when this file is imported. The Lab has it in the place of all-builds.ts
 * (web/vite.config.ts): the scalar build would be a tenth of its first load. A browser without SIMD (Safari before 16.4) lacks
 * OffscreenCanvas as well, which the page draws on.
 */
import { simd } from './engine-binaries.ts'
import { installBuilds } from './engine-build.ts'
import { relaxedBuild } from './relaxed-build.ts'

installBuilds({
  get relaxed() {
    return relaxedBuild()
  },
  simd,
})
