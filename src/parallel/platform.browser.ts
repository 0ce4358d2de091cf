/**
 * What the library uses of browsers, set up when this file is imported: threads for the engine where the page allows
 * them, LIBSVM text on the engine. Every entry for browsers imports it.
 */
import '../engine/memory/all-builds.ts'
import '../models/machines/use-engine.ts'
import '../models/machines/use-tables.ts'
import { lineFormatter } from '../data/libsvm/libsvm-lines.ts'
import { plainLineReader } from '../data/libsvm/plain-lines.ts'
import { plainVectors } from '../data/libsvm/plain-vectors.ts'
import { formatOnEngine } from '../engine/text/format-lines.ts'
import { linesOnEngine } from '../engine/text/parse-lines.ts'
import { useBrowserThreads } from '../engine/threads/spawn-thread.browser.ts'
import { vectorReader } from '../models/files/libsvm-vectors.ts'

useBrowserThreads()
plainLineReader.install(linesOnEngine())
lineFormatter.install(formatOnEngine())
vectorReader.install(plainVectors)
