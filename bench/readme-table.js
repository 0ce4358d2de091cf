// Puts the table of the last complete run into README.md, between <!-- bench --> and <!-- /bench -->.
//
//   node bench/readme-table.js            writes it
//   node bench/readme-table.js --print    prints it
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { resultsFolder } from './places.js'
import { readmeTable } from './report.js'

/** The text with the block between the markers replaced; throws when it has no markers. */
export function withTable(text, table) {
  const block = /(<!-- bench -->\n)[\s\S]*?(<!-- \/bench -->)/
  if (!block.test(text)) throw new Error('README.md has no <!-- bench --> … <!-- /bench -->')
  return text.replace(block, (_, start, end) => `${start}\n${table}\n\n${end}`)
}

if (process.argv[1]?.endsWith('readme-table.js')) {
  const table = readmeTable(JSON.parse(readFileSync(join(resultsFolder, 'results.json'), 'utf8')))
  if (process.argv.includes('--print')) {
    console.log(table)
  } else {
    const readme = join(resultsFolder, '../../README.md')
    writeFileSync(readme, withTable(readFileSync(readme, 'utf8'), table))
  }
}
