// Puts the tables of the last complete runs into README.md: that of breadth.js between <!-- breadth --> and
// <!-- /breadth -->, that of run.js between <!-- bench --> and <!-- /bench -->.
//
//   node bench/readme-table.js            writes them
//   node bench/readme-table.js --print    prints them
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readmeBreadth } from './breadth-report.js'
import { resultsFolder } from './places.js'
import { readmeTable } from './report.js'

/** Each block of the README, the file of its results, and what makes a table of them. */
const blocks = [
  { name: 'breadth', file: 'breadth.json', tableOf: readmeBreadth },
  { name: 'bench', file: 'results.json', tableOf: readmeTable },
]

/** The text with the block between the markers replaced; throws when it has no markers. */
export function withTable(text, table, name = 'bench') {
  const block = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`)
  if (!block.test(text)) throw new Error(`README.md has no <!-- ${name} --> … <!-- /${name} -->`)
  return text.replace(block, (_, start, end) => `${start}\n${table}\n\n${end}`)
}

/** The table of every block whose results are there, by name. */
export function tables(folder = resultsFolder) {
  return Object.fromEntries(
    blocks
      .map(({ name, file, tableOf }) => ({ name, path: join(folder, file), tableOf }))
      .filter(({ path }) => existsSync(path))
      .map(({ name, path, tableOf }) => [name, tableOf(JSON.parse(readFileSync(path, 'utf8')))]),
  )
}

if (process.argv[1]?.endsWith('readme-table.js')) {
  if (process.argv.includes('--print')) {
    console.log(Object.values(tables()).join('\n\n'))
  } else {
    const readme = join(resultsFolder, '../../README.md')
    const text = readFileSync(readme, 'utf8')
    writeFileSync(
      readme,
      Object.entries(tables()).reduce((changed, [name, table]) => withTable(changed, table, name), text),
    )
  }
}
