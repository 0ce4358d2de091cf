/** LIBSVM text of every kind: plain lines, odd ones, and wrong ones. */
import fc from 'fast-check'
import { finite } from '../data/arbitrary.ts'

const sign = fc.constantFrom('', '', '', '-', '+')
const digits = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 0, maxLength })

/** A double in one of the ways that programs write it. */
const written = fc
  .tuple(finite, fc.integer({ min: 1, max: 17 }), fc.constantFrom('shortest', 'digits', 'exponent', 'fixed'))
  .map(([value, count, way]) => {
    if (way === 'digits') return value.toPrecision(count)
    if (way === 'exponent') return value.toExponential(count)
    if (way === 'fixed' && Math.abs(value) < 1e21) return value.toFixed(count)
    return String(value)
  })

/** Numbers of about the size that data have. */
const ordinary = fc
  .tuple(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), fc.integer({ min: 0, max: 12 }))
  .map(([m, k]) => (m / 10 ** k).toFixed(k))

/** Digits as they come, with and without point and exponent. */
const assembled = fc
  .tuple(
    sign,
    digits(22),
    fc.option(digits(22), { nil: undefined }),
    fc.option(fc.integer({ min: -330, max: 310 })),
  )
  .filter(([, whole, fraction]) => whole.length + (fraction?.length ?? 0) > 0)
  .map(
    ([s, whole, fraction, power]) =>
      s + whole + (fraction === undefined ? '' : `.${fraction}`) + (power === null ? '' : `e${power}`),
  )

/** Doubles half way between two neighbours, and next to that: the hardest to round. */
const halfway = fc
  .tuple(
    fc.bigInt({ min: 2n ** 52n, max: 2n ** 53n - 1n }),
    fc.integer({ min: 0, max: 9 }),
    fc.bigInt(-1n, 1n),
  )
  .map(([m, shift, off]) => String((2n * m + 1n) * 2n ** BigInt(shift) + off))

/** The text of a number. It may be too large or too small for a double. */
export const numberText = fc.oneof(
  { weight: 3, arbitrary: written },
  { weight: 4, arbitrary: ordinary },
  { weight: 3, arbitrary: assembled },
  { weight: 1, arbitrary: halfway },
  { weight: 1, arbitrary: fc.constantFrom('0', '-0', '+0.0', '0e999', '1.', '.5', '1E5', '1e+05', '007') },
)

/** Numbers that any reader can store. */
const plainNumber = fc.oneof(ordinary, finite.map(String)).filter((text) => Number.isFinite(Number(text)))

const space = fc.constantFrom(' ', ' ', ' ', '  ', '\t', ' \r ')

/** Ascending indices, mostly close together. */
const indices = fc
  .array(
    fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 9 }) }, { weight: 1, arbitrary: fc.nat(1e8) }),
    {
      maxLength: 6,
    },
  )
  .map((steps) => {
    let index = 0
    return steps.map((step) => {
      index += step + 1
      return index - 1
    })
  })

const indexText = (index: number) => fc.constantFrom(String(index), String(index), `0${index}`)

function line(number: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const pairs = indices.chain((list) =>
    fc.tuple(
      ...list.map((index) => fc.tuple(space, indexText(index), number).map(([s, i, x]) => `${s}${i}:${x}`)),
    ),
  )
  const row = fc
    .tuple(fc.constantFrom('', '', '', ' ', '\t'), number, pairs, fc.constantFrom('', '', ' ', '\r'))
    .map(([before, label, list, after]) => before + label + list.join('') + after)
  return fc.oneof({ weight: 8, arbitrary: row }, { weight: 1, arbitrary: fc.constantFrom('', '  ', '\r') })
}

/** What only the parser understands, or nobody. */
const odd = fc.constantFrom(
  ...[
    '# comment',
    '1 1:2 # comment',
    '1 1:2#',
    '3 qid:7 1:2',
    'cat 1:2',
    '1,2 1:3',
    'nan 1:1',
    'inf',
    '1e400 1:1',
  ],
  ...[
    '1 0:5',
    '1 0:5 1:0',
    '1 2:1 1:1',
    '1 1:1 1:1',
    '1 4294967294:1',
    '1 4294967295:1',
    '1 99999999999999999999:1',
  ],
  ...[
    '1 1:',
    '1 :1',
    '1 1',
    '1 1:x',
    '1 1:1:1',
    '1 1:1e',
    '1 1:1e+',
    '1 1:-',
    '1 1:.',
    '1 1:1e400',
    '1 1:1e-400',
  ],
  ...[
    '1 1:+-1',
    '1 1:0x1',
    '1 1:1_0',
    '1\v1:1',
    '1 1:1\0',
    '1 -1:1',
    '1 +1:1',
    '1 1.0:1',
    '1: 1:1',
    '\u00a01 1:1',
  ],
  ...['1 1:1e99999999', '1 1:0e99999999', '1 1:nan', '1 2:-inf', '1 0000000000000001:5', '1 1 :5', '1 1: 5'],
)

/** Numbers that need no special care: up to 17 digits, and neither very large nor very small. */
const easyNumber = fc.oneof(
  ordinary,
  fc.double({ min: 1e-4, max: 1e15, noNaN: true }).map((value) => value.toPrecision(17)),
)

/** Plain lines of at least four bytes, every one with its newline. */
export const plainLines = fc
  .array(line(easyNumber), { minLength: 1, maxLength: 12 })
  .map((lines) => ['1', ...lines].map((text) => `${text.padEnd(3)}\n`).join(''))

/** Lines of every kind, the last one with or without a newline. */
export const libsvmLines = fc
  .tuple(
    fc.array(
      fc.oneof(
        { weight: 12, arbitrary: line(plainNumber) },
        { weight: 4, arbitrary: line(numberText) },
        { weight: 1, arbitrary: odd },
      ),
      { maxLength: 12 },
    ),
    fc.constantFrom('', '\n'),
    fc.constantFrom('', '', '', '\ufeff'),
  )
  .map(([lines, end, mark]) => mark + lines.join('\n') + end)
