// Where the benchmark finds the built command and keeps what it makes.
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The command as it was built. */
export const hyperplane = join(root, 'dist/cli/main.js')

/** One of LIBSVM's commands, as this package has them. */
export const dropIn = (name) => join(root, `dist/cli/${name}.js`)

/** A file of this folder. */
export const benchFile = (name) => join(root, 'bench', name)

/** Results of complete runs; they are part of the repository. */
export const resultsFolder = join(root, 'bench/results')

/** A path below the folder of everything that can be made again; its folder exists afterwards. */
export function cached(...names) {
  const path = join(root, '.hyperplane/bench', ...names)
  mkdirSync(join(path, '..'), { recursive: true })
  return path
}

/** The folder of data sets beyond npm's, if there is one. */
export function dataFolder(given = process.env.HYPERPLANE_DATA) {
  if (given) {
    if (!existsSync(given)) throw new Error(`the data folder ${given} does not exist`)
    return given
  }
  const usual = join(root, '../shared/data')
  return existsSync(usual) ? usual : undefined
}
