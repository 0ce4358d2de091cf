import { describe, expect, it } from 'vitest'
import { fileBreaches, mostFiles, mostLines } from './file-rules.ts'
import { graphOf, readGraph } from './module-graph.ts'

describe('the files of src/', () => {
  it('keep to the rules on names, folders and length', () => {
    expect(fileBreaches(readGraph('src'))).toEqual([])
  })

  it('would be caught breaking them', () => {
    const breaches = fileBreaches(
      graphOf({
        'src/index.node.ts': '',
        'src/data/package.d.ts': '',
        'src/data/scaling/range-file.ts': '\n'.repeat(mostLines),
        'src/data/rangeFile.ts': '',
        'src/Data/file.ts': '',
        'src/data/readers/csv.ts': '',
        'src/data/readers/text/csv.ts': '',
        'src/data/long.ts': '\n'.repeat(mostLines + 1),
        'src/base/utils.ts': '',
        'src/base/state.ts': 'let count = 0\nexport const next = () => ++count',
        ...Object.fromEntries(Array.from({ length: mostFiles + 1 }, (_, k) => [`src/kernels/k${k}.ts`, ''])),
      }),
    )
    expect(breaches).toEqual([
      'src/data/rangeFile.ts: names are kebab-case',
      'src/Data/file.ts: names are kebab-case',
      'src/data/readers/text/csv.ts: src/ has two levels of folders',
      'src/data/long.ts: 601 lines, at most 600',
      'src/base/utils.ts: name it after what it holds',
      'src/base/state.ts: state of the process is kept in a slot',
      'src/kernels: 19 files, at most 18',
    ])
  })
})
