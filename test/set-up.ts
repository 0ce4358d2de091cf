/** What the entries of the package set up, for tests that import its modules one by one. */
import '../src/engine/memory/all-builds.ts'
import '../src/models/machines/use-engine.ts'
import '../src/models/machines/use-tables.ts'
