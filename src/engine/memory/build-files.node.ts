/**
 * Installs all builds of the engine, each a file that is read when it is needed, when this file is imported. The command has it in
 * the place of all-builds.ts (scripts/bundle-command.js): as texts, the builds would be two fifths of what every run loads.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type EngineBuild, installBuilds } from './engine-build.ts'

const read = (build: EngineBuild) => readFileSync(join(import.meta.dirname, `${build}.wasm`))

installBuilds({
  get relaxed() {
    return read('relaxed')
  },
  get simd() {
    return read('simd')
  },
  get scalar() {
    return read('scalar')
  },
})
