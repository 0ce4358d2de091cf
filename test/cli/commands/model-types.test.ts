/** predict, evaluate and info with models other than two-class ones, as LIBSVM and LIBLINEAR write them. */
import { writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { cliInFolder } from '../run-cli.ts'

const { path, run, json } = cliInFolder()

beforeAll(() => {
  const files = {
    // f of the pairs (1,2), (1,3), (2,3) is x1 − x2, x1 − x3, x2 − x3: the largest feature wins.
    'three.model':
      'svm_type c_svc\nkernel_type linear\nnr_class 3\ntotal_sv 3\nrho 0 0 0\nlabel 1 2 3\nnr_sv 1 1 1\nSV\n' +
      '1 1 1:1\n-1 1 2:1\n-1 -1 3:1\n',
    three: '1 1:3 2:1\n2 2:2\n3 1:1 3:2\n3 1:5 3:2\n',
    'line.model': 'svm_type epsilon_svr\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho -1\nSV\n2 1:1\n',
    line: '1 1:0\n3 1:1\n6 1:2\n',
    'normal.model': 'svm_type one_class\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 1\nSV\n1 1:1\n',
    normal: '1 1:2\n-1 1:0.5\n1 1:0.5\n-1 1:0\n',
    'logistic.liblinear': 'solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 1\nbias 1\nw\n1\n-0.5\n',
    words: 'cat 1:1\n',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(path(name), text)
})

describe('several classes', () => {
  it('are predicted, with a score each', async () => {
    const { labels, decisions } = await json('predict', 'three', 'three.model', '--decision')
    expect(labels).toEqual([1, 2, 3, 1])
    expect(decisions.length).toBe(12)
    const { stdout } = await run('predict', 'three', 'three.model', '--decision')
    expect(stdout.split('\n')[0].split(' ').length).toBe(4)
  })

  it('are evaluated by means over them', async () => {
    const evaluation = await json('evaluate', 'three', 'three.model')
    expect(evaluation).toMatchObject({ samples: 4, accuracy: 0.75, positive: null, auc: null })
    expect(evaluation.confusion.labels).toEqual([1, 2, 3])
    expect((await run('evaluate', 'three', 'three.model')).stdout).toContain('(mean over classes)')
  })

  it('are listed', async () => {
    expect(await json('info', 'three.model')).toMatchObject({ classes: [1, 2, 3], supportCounts: [1, 1, 1] })
    expect((await run('info', 'three.model')).stdout).toMatch(/^classes +1, 2, 3$/m)
  })
})

describe('regression', () => {
  it('is predicted and evaluated in numbers', async () => {
    expect((await json('predict', 'line', 'line.model')).labels).toEqual([1, 3, 5])
    const evaluation = await json('evaluate', 'line', 'line.model')
    expect(evaluation.meanSquaredError).toBeCloseTo(1 / 3, 14)
    expect(evaluation.meanAbsoluteError).toBeCloseTo(1 / 3, 14)
    expect((await run('evaluate', 'line', 'line.model')).stdout).toMatch(/^mean squared error +0.333333$/m)
    expect((await run('evaluate', 'words', 'line.model')).stderr).toBe(
      "error: words: the labels are strings such as 'cat', but the model predicts numbers\n",
    )
  })
})

it('one class: +1 is normal', async () => {
  expect((await json('predict', 'normal', 'normal.model')).labels).toEqual([1, -1, -1, -1])
  expect(await json('evaluate', 'normal', 'normal.model')).toMatchObject({ accuracy: 0.75, positive: 1 })
  expect((await run('info', 'normal.model')).stdout).toMatch(/^model +one-class$/m)
})

it('LIBLINEAR: models are read', async () => {
  expect((await json('predict', 'normal', 'logistic.liblinear')).labels).toEqual([1, -1, -1, -1])
  expect(await json('info', 'logistic.liblinear')).toMatchObject({
    type: 'linear-svc',
    probability: 'sigmoid',
  })
})
