/**
 * Installs the build of the engine that predicts, when this file is imported, unless all are there: three whole ones would be
 * most of what a page loads to predict. Runtimes without SIMD are left to plain code.
 */
import { prediction } from './engine-binaries.ts'
import { hasBuilds, installBuilds } from './engine-build.ts'

if (!hasBuilds()) installBuilds({ prediction })
