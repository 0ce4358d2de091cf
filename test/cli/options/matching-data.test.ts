import { writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { cliInFolder } from '../run-cli.ts'

const { path, run, json } = cliInFolder()

/** Labels first, named kind; features long and wide. */
const rows: [kind: string, long: number, wide: number][] = [
  ['cat', 1, 2],
  ['dog', 3, 4],
  ['cat', 1, 1],
  ['dog', 4, 7],
]

beforeAll(async () => {
  writeTable('pets.csv', 'kind,long,wide', ([kind, long, wide]) => [kind, long, wide])
  await run('train', 'pets.csv', '--label', 'kind', '-o', 'pets.json')
})

describe('tables with names', () => {
  it('may have their columns in another order, and more of them', async () => {
    writeTable('turned.csv', 'wide,serial,kind,long', ([kind, long, wide]) => [wide, 5, kind, long])
    const expected = await json('predict', 'pets.csv', 'pets.json', '--label', 'kind', '--decision')
    const result = await json('predict', 'turned.csv', 'pets.json', '--label', 'kind', '--decision')
    expect(result).toEqual(expected)
    expect(expected.labels).toEqual(['cat', 'dog', 'cat', 'dog'])
    const evaluation = await json('evaluate', 'turned.csv', 'pets.json', '--label', 'kind')
    expect(evaluation).toEqual(await json('evaluate', 'pets.csv', 'pets.json', '--label', 'kind'))
  })

  it('must have those that the model knows', async () => {
    writeTable('unlabelled.csv', 'long,wide', ([, long, wide]) => [long, wide])
    for (const words of [[], ['--no-label']]) {
      const { labels } = await json('predict', 'unlabelled.csv', 'pets.json', ...words)
      expect(labels).toEqual(['cat', 'dog', 'cat', 'dog'])
    }
    writeTable('narrow-named.csv', 'long,kind', ([kind, long]) => [long, kind])
    const { code, stderr } = await run('predict', 'narrow-named.csv', 'pets.json')
    expect(code).toBe(1)
    expect(stderr).toBe(
      'error: narrow-named.csv: no column is named "wide", which the training data had; there are only "long", "kind"\n',
    )
  })

  it('may give a name twice: the model knows both columns', async () => {
    writeTable('twice.csv', 'kind,size,size', ([kind, long, wide]) => [kind, long, -wide])
    writeTable('once.csv', 'kind,size,other', ([kind, long, wide]) => [kind, long, -wide])
    for (const name of ['twice', 'once'])
      await run('train', `${name}.csv`, '--label', 'kind', '-o', `${name}.json`)
    const expected = await json('predict', 'once.csv', 'once.json', '--decision')
    expect(await json('predict', 'twice.csv', 'twice.json', '--decision')).toEqual(expected)
  })

  it('test data of compare are matched with the training data', async () => {
    const flags = ['--label', 'kind', '--solvers', 'smo']
    const { solvers: straight } = await json('compare', 'pets.csv', ...flags, '--test', 'pets.csv')
    const { solvers: turned } = await json('compare', 'pets.csv', ...flags, '--test', 'turned.csv')
    expect(turned[0].accuracy).toBe(straight[0].accuracy)
  })
})

it('tables without names must be as wide as the training data', async () => {
  writeFileSync(path('narrow.csv'), '1,cat\n2,dog\n')
  const { code, stderr } = await run('predict', 'narrow.csv', 'pets.json')
  expect(code).toBe(1)
  expect(stderr).toBe('error: narrow.csv: 1 feature, but 2 are needed; does --label name the label column?\n')
})

it('says where it looked for labels when they are not classes', async () => {
  const { code, stderr } = await run('train', 'pets.csv')
  expect(code).toBe(1)
  expect(stderr).toBe(
    'error: pets.csv: the labels are not classes but numbers, all different; --type svr, nu-svr and linear-svr predict numbers; labels are taken from column wide, --label names another\n',
  )
})

it('does not evaluate on labels of which the model knows none', async () => {
  writeFileSync(path('numbers.csv'), 'long,wide,label\n1,2,0\n3,4,1\n')
  const { code, stderr } = await run('evaluate', 'numbers.csv', 'pets.json')
  expect(code).toBe(1)
  expect(stderr).toBe('error: numbers.csv: the labels are 0, 1, but the classes of the model are cat, dog\n')
})

it('takes --no-label only where labels are not needed', async () => {
  const train = await run('train', 'pets.csv', '--no-label')
  expect(train.code).toBe(2)
  expect(train.stderr).toMatch(
    /--no-label does not apply to --type svc: only one-class and linear-one-class need no labels/,
  )
  for (const words of [
    ['evaluate', 'pets.csv', 'pets.json'],
    ['compare', 'pets.csv'],
  ]) {
    const { code, stderr } = await run(...words, '--no-label')
    expect(code).toBe(2)
    expect(stderr).toMatch(/: unknown option '--no-label'/)
  }
})

it('names a directory that is neither a file nor a folder of shards', async () => {
  const { code, stderr } = await run('info', '.')
  expect([code, stderr]).toEqual([
    1,
    'error: .: is a directory without manifest.json, neither a file nor a folder of shards\n',
  ])
})

function writeTable(name: string, header: string, fields: (row: (typeof rows)[number]) => unknown[]): void {
  writeFileSync(path(name), `${[header, ...rows.map((row) => fields(row).join(','))].join('\n')}\n`)
}

it.each(['tune', 'cv', 'path', 'learning-curve'])(
  '%s does not take targets of regression for classes',
  async (command) => {
    const rows = Array.from({ length: 30 }, (_, i) => `${i},${Math.sin(i)},${i / 4}`)
    writeFileSync(path('curve.csv'), `long,wide,label\n${rows.join('\n')}\n`)
    const { code, stderr } = await run(command, 'curve.csv')
    expect(code).toBe(1)
    expect(stderr).toContain(
      'curve.csv: the labels are not classes but numbers, such as 0.25; --type svr, nu-svr and linear-svr predict numbers',
    )
  },
)
