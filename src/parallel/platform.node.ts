/**
 * What the library uses of Node, set up when this file is imported: threads for fits and for the engine, the memory of
 * the machine, checkpoints in files, LIBSVM text on the engine. Every entry for Node and every command imports it.
 */
import { totalmem } from 'node:os'
import { memoryBytes } from '../data/codecs/growth-limit.ts'
import '../engine/memory/all-builds.ts'
import '../models/machines/use-engine.ts'
import '../models/machines/use-tables.ts'
import { lineFormatter } from '../data/libsvm/libsvm-lines.ts'
import { plainLineReader } from '../data/libsvm/plain-lines.ts'
import { plainVectors } from '../data/libsvm/plain-vectors.ts'
import { formatOnEngine } from '../engine/text/format-lines.ts'
import { linesOnEngine } from '../engine/text/parse-lines.ts'
import { checkpointFile } from '../estimators/fitting/checkpoint-file.node.ts'
import { setFitRunner } from '../estimators/fitting/fit-runner.ts'
import { setCheckpointFiles } from '../estimators/fitting/kept-work.ts'
import { vectorReader } from '../models/files/libsvm-vectors.ts'
import { fitOnThread } from './fit-on-thread.node.ts'
import { useNodeResources } from './node-resources.node.ts'

setFitRunner(fitOnThread)
setCheckpointFiles(checkpointFile)
memoryBytes.install(Math.min(totalmem(), process.constrainedMemory?.() || totalmem()))
useNodeResources()
plainLineReader.install(linesOnEngine())
lineFormatter.install(formatOnEngine())
vectorReader.install(plainVectors)
