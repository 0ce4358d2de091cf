// Hyperplane's versions of LIBSVM's commands: the same flags, files and output.
//   node examples/17-libsvm-commands.js
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generate } from 'hyperplane'
import { formatLibsvm } from 'hyperplane/formats'

const folder = mkdtempSync(join(tmpdir(), 'hyperplane-example-'))

/**
 * Runs a command. If the package is installed, this is simply `svm-train …`.
 * @param {string} command
 * @param {string[]} words
 */
function run(command, ...words) {
  const script = fileURLToPath(new URL(`../dist/cli/${command}.js`, import.meta.url))
  console.log(`$ ${command} ${words.join(' ')}`)
  return execFileSync(process.execPath, [script, ...words], { cwd: folder, encoding: 'utf8' })
}

writeFileSync(join(folder, 'train'), formatLibsvm(generate('moons', { n: 200, noise: 0.2, seed: 1 })))
writeFileSync(join(folder, 'test'), formatLibsvm(generate('moons', { n: 100, noise: 0.2, seed: 2 })))

writeFileSync(join(folder, 'train.scale'), run('svm-scale', '-s', 'range', 'train'))
writeFileSync(join(folder, 'test.scale'), run('svm-scale', '-r', 'range', 'test'))
console.log(readFileSync(join(folder, 'range'), 'utf8').split('\n').slice(0, 2).join('\n'))
console.log(run('svm-train', '-q', '-v', '5', '-c', '8', '-g', '2', 'train.scale'))
console.log(run('svm-train', '-c', '8', '-g', '2', '-b', '1', 'train.scale', 'model'))
console.log(run('svm-predict', '-b', '1', 'test.scale', 'model', 'out'))
console.log(readFileSync(join(folder, 'out'), 'utf8').split('\n').slice(0, 3).join('\n'))

rmSync(folder, { recursive: true })
