import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { FormatError } from '../../../src/base/errors.ts'
import type { VectorOptions } from '../../../src/data/files/parse-vectors.ts'
import { readVectors } from '../../../src/data/files/read-dataset.node.ts'

const folder = fileURLToPath(new URL('../../invalid/data/', import.meta.url))

/** Every file has one defect: its name, what follows it in the message, and the options that bring it out. */
const defects: [file: string, message: string, options?: VectorOptions][] = [
  ['damaged.libsvm.bz2', ': bzip2 data is damaged'],
  ['damaged.libsvm.gz', ': gzip data is damaged: incorrect data check'],
  ['damaged.libsvm.xz', ': xz data is damaged'],
  ['empty.csv', ': no samples: the input is empty'],
  ['empty.libsvm', ': no samples: the input is empty'],
  [
    'feature-beyond-double.parquet',
    ': row 3, column "a" must be a number that a double can hold exactly, got 9007199254740993',
  ],
  ['feature-empty.csv', ':4:2: column "width" is missing'],
  ['feature-infinite.csv', ':2:1: column 1 must be a finite number, got "-inf"'],
  ['feature-missing.parquet', ': row 2, column "a" is missing'],
  ['feature-nan.csv', ':2:2: column 2 must be a finite number, got "nan"'],
  ['feature-nan.parquet', ': row 3, column "a" must be a finite number, got NaN'],
  ['feature-overflow.csv', ':2:1: column 1 must be a finite number, got "1e400"'],
  [
    'feature-text-after-quoted-line-break.csv',
    ':3:2: column "a" must be a number, got "wide"',
    { labelColumn: 'kind' },
  ],
  [
    'feature-text-in-last-record.csv',
    ':5:2: column "a" must be a number, got "one"',
    { labelColumn: 'kind' },
  ],
  ['feature-text.csv', ':3:2: column "width" must be a number, got "wide"'],
  [
    'feature-text.parquet',
    ': row 1, column "a" must be a number, got "x"; labels are taken from column "label"',
  ],
  ['feature-text.tsv', ':2:2: column 2 must be a number, got "x y"'],
  ['features-too-few.csv', ': 2 feature columns, but features is 3', { features: 3 }],
  ['fields-extra.csv', ':2: 4 fields, but the first record has 3'],
  ['fields-missing.csv', ':3: 2 fields, but the first record has 3'],
  [
    'index-beyond-features-from-zero.libsvm',
    ':1:7: index 3 is beyond the 3 features that were requested',
    { features: 3 },
  ],
  [
    'index-beyond-features.libsvm',
    ':2:3: index 4 is beyond the 3 features that were requested',
    { features: 3 },
  ],
  ['index-descending.libsvm', ':1:11: indices must ascend, got 3 after 5'],
  ['index-fraction.libsvm', ':1:3: index must be a whole number, got "1.5"'],
  ['index-missing.libsvm', ':1:3: index must be a whole number, got ""'],
  ['index-negative.libsvm', ':1:3: index must be a whole number, got "-1"'],
  ['index-repeated.libsvm', ':2:12: indices must ascend, got 2 after 2'],
  ['index-too-large.libsvm', ':1:7: index must be at most 4294967294, got 99999999999'],
  [
    'index-zero-where-base-is-one.libsvm',
    ':2:3: indices must start from 1, got 0: add 1 to all of them',
    { indexBase: 1 },
  ],
  ['label-column-is-weight-column.csv', ': labels and weights are both in column "c"', { weightColumn: -1 }],
  ['label-column-out-of-range.csv', ': labelColumn is 3 but there are 3 columns', { labelColumn: 3 }],
  ['label-column-twice.csv', ': more than one column is named "kind"', { labelColumn: 'kind' }],
  ['label-column-unknown.csv', ': no column is named "kind", only a, b, c', { labelColumn: 'kind' }],
  [
    'label-column-without-header.csv',
    ': labelColumn is "kind" but the columns have no names',
    { labelColumn: 'kind' },
  ],
  ['label-empty.csv', ':2:3: label in column "label" is missing'],
  ['label-infinite.libsvm', ':2:1: label must be a finite number, got "-inf"'],
  ['label-missing.libsvm', ':2:1: label is missing: the line starts with "1:0.5"'],
  ['label-missing.parquet', ': row 2, column "class" is missing', { labelColumn: 'class' }],
  ['label-more-than-one.libsvm', ':2:1: one label per line is allowed, got "1,3"'],
  ['label-nan.csv', ':1:3: label in column 3 must be a finite number, got "nan"'],
  ['label-nan.libsvm', ':1:1: label must be a finite number, got "nan"'],
  [
    'label-number-among-words.csv',
    ':2:3: label in column 3 must be text as in the previous records, got "1"',
  ],
  ['label-number-among-words.libsvm', ':3:1: label must be a word as on the lines before, got "2"'],
  ['label-overflow.libsvm', ':1:1: label must be a finite number, got "1e999"'],
  ['label-word-among-numbers.csv', ':2:3: label in column 3 must be a number, got "one"'],
  ['label-word-among-numbers.libsvm', ':2:3: label must be a number, got "cat"'],
  ['only-comments.libsvm', ': no samples'],
  ['only-header.csv', ': no samples'],
  ['only-labels.csv', ': no feature columns'],
  ['only-words.libsvm', ': only words, and no index:value pair'],
  ['pair-after-windows-line.libsvm', ':2:3: index must be a whole number, got "x"'],
  ['pair-without-colon.libsvm', ':1:7: expected index:value, got "7"'],
  ['qid-after-a-pair.libsvm', ':1:7: qid must come right after the label'],
  ['qid-not-a-number.libsvm', ':1:3: qid must be a whole number, got "a"'],
  ['quote-followed-by-text.csv', ':2:2: a quote is inside an unquoted field'],
  ['quote-inside-field.csv', ':2:2: a quote is inside an unquoted field'],
  ['quote-not-closed.csv', ':2:2: a quoted field is not closed'],
  ['text.parquet', ': Parquet data cannot be read: the file does not start with PAR1'],
  ['truncated.libsvm.bz2', ': bzip2 data is truncated'],
  ['truncated.libsvm.gz', ': gzip data is truncated'],
  ['truncated.libsvm.xz', ': xz data is truncated'],
  ['truncated.parquet', ': Parquet data cannot be read: the file does not end with PAR1'],
  ['utf-16.libsvm', ': text must be UTF-8, got UTF-16'],
  ['value-after-space.libsvm', ':1:5: value of index 1 is missing'],
  ['value-decimal-comma.libsvm', ':1:5: value of index 1 must be a number, got "0,5"'],
  ['value-exponent-empty.libsvm', ':1:5: value of index 1 must be a number, got "1e"'],
  ['value-hexadecimal.libsvm', ':1:5: value of index 1 must be a number, got "0x10"'],
  ['value-infinite.libsvm', ':1:5: value of index 1 must be a finite number, got "-Infinity"'],
  ['value-missing.libsvm', ':1:9: value of index 2 is missing'],
  ['value-nan.libsvm', ':2:10: value of index 2 must be a finite number, got "NaN"'],
  ['value-overflow.libsvm', ':1:5: value of index 1 must be a finite number, got "1e400"'],
  ['value-sign-only.libsvm', ':1:5: value of index 1 must be a number, got "-"'],
  ['value-text.libsvm', ':1:5: value of index 1 must be a number, got "abc"'],
  ['value-two-points.libsvm', ':1:5: value of index 1 must be a number, got "1.2.3"'],
  ['weight-negative.csv', ':3:2: column "w" must be >= 0, got -1', { weightColumn: 'w' }],
  ['weight-negative.parquet', ': row 3, column "w" must be >= 0, got -1', { weightColumn: 'w' }],
  ['weight-text.csv', ':2:2: column "w" must be a number, got "heavy"', { weightColumn: 'w' }],
]

describe('one defect a file', () => {
  test.each(defects)('%s', async (file, message, options) => {
    const read = readVectors(folder + file, { name: file, ...options })
    const error = await read.then(
      () => expect.fail('the file was accepted'),
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(FormatError)
    expect((error as FormatError).message).toBe(file + message)
  })

  test('every file is listed', () => {
    expect(defects.map(([file]) => file).sort()).toEqual(readdirSync(folder).sort())
  })
})
