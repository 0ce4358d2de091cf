/** What the entries of the package set up, for tests that import its modules one by one. */
import '../src/engine/memory/all-builds.ts'
import '../src/models/machines/use-engine.ts'
import '../src/models/machines/use-tables.ts'
import { plainLineReader, readNoLines } from '../src/data/libsvm/plain-lines.ts'
import { hasBuilds } from '../src/engine/memory/engine-build.ts'

// Files that share a process must not find in it what an earlier one has installed.
if (plainLineReader.current !== readNoLines)
  throw new Error('an earlier test file has installed a platform: list it as `alone` in vitest.config.ts')
if (!hasBuilds())
  throw new Error('an earlier test file has reset all slots: list it as `alone` in vitest.config.ts')
