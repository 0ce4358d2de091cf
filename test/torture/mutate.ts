/** Damage to inputs of readers: to any bytes, to words of a text, to the parts of a JSON document. */
import type { Random } from '../../src/base/random.ts'
import { pick } from './random-data.ts'

const nastyBytes = [
  0, 1, 9, 10, 13, 32, 34, 35, 44, 45, 46, 48, 57, 58, 0x7f, 0x80, 0xbf, 0xc3, 0xef, 0xfe, 0xff,
]

/** A copy of `bytes` with one to four damages: bits flipped, bytes set, put in, left out, repeated, moved, or cut off. */
export function damageBytes(random: Random, bytes: Uint8Array): Uint8Array {
  let damaged = bytes
  const times = 1 + (random.int(2) === 0 ? 0 : random.int(4))
  for (let k = 0; k < times; k++) damaged = damageOnce(random, damaged)
  return damaged
}

function damageOnce(random: Random, bytes: Uint8Array): Uint8Array {
  const at = random.int(bytes.length + 1)
  const length = 1 + random.int(random.int(4) === 0 ? 64 : 4)
  const before = bytes.subarray(0, at)
  const part = bytes.subarray(at, at + length)
  const after = bytes.subarray(at + part.length)
  switch (random.int(8)) {
    case 0:
      return join(before, part, part, after)
    case 1:
      return join(before, after)
    case 2:
      return join(
        before,
        Uint8Array.from(part, () => random.int(256)),
        part,
        after,
      )
    case 3:
      return random.int(3) === 0 ? Uint8Array.from(before) : damageOnce(random, bytes)
    case 4: {
      const to = random.int(after.length + 1)
      return join(before, after.subarray(0, to), part, after.subarray(to))
    }
    case 5:
      return join(
        before,
        Uint8Array.from(part, () => pick(random, nastyBytes)),
        after,
      )
    default: {
      const copy = Uint8Array.from(bytes)
      if (at < copy.length) copy[at] ^= 1 << random.int(8)
      return copy
    }
  }
}

/** Several runs of bytes as one. */
export function join(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const nastyWords = [
  ...[
    '',
    '0',
    '-0',
    '+0',
    '00',
    '1',
    '-1',
    '1.',
    '.5',
    '.',
    '-',
    '+',
    '+-1',
    'e5',
    '1e',
    '1e+',
    '1e5e5',
    '1.5.5',
    '1,5',
  ],
  ...[
    '1e308',
    '1e309',
    '-1e400',
    '1e-320',
    '1e-400',
    '4.9e-324',
    '2.4e-324',
    '9007199254740993',
    '0.1e-5000',
    '1e99999',
  ],
  ...[
    'nan',
    'NaN',
    'inf',
    '-Infinity',
    '0x10',
    '1_000',
    'null',
    'true',
    '١',
    '１',
    'é',
    '\ud800',
    '\ufeff',
    '\ufeff1',
  ],
  ...[
    '4294967293',
    '4294967294',
    '4294967295',
    '4294967296',
    '99999999999999999999',
    '2147483648',
    '16777217',
  ],
  ...[
    '#',
    ':',
    '1:',
    ':1',
    '1:1',
    '0:1',
    '1:1:1',
    'qid:1',
    'qid:x',
    'qid:',
    ',',
    ';',
    '"',
    '""',
    '"a',
    "'",
    '\\',
    '|',
  ],
  ...[
    '\r',
    '\n',
    '\r\n',
    '\t',
    '\0',
    '\v',
    '\u0085',
    '\u2028',
    ' ',
    '  ',
    'SV',
    'w',
    'x',
    'y',
    'label',
    '{',
    '[',
    '}',
  ],
]

const mildWords = [
  '0',
  '1',
  '-1',
  '2.5',
  '+3',
  '1e3',
  '-0.25',
  '.5',
  '7.',
  '1E-2',
  ' ',
  '  ',
  '\t',
  '\r',
  '\n',
  '1:1',
  'a',
]

/** A word to put anywhere: often one that could stand there, else a nasty one, numbers of many digits and deep brackets too. */
export function nastyWord(random: Random): string {
  if (random.int(3) > 0) return pick(random, mildWords)
  switch (random.int(12)) {
    case 0:
      return `${pick(random, ['', '-', '0.', '1e', '1.'])}${'9'.repeat(1 + random.int(2000))}${pick(random, ['', 'x', '.', 'e5'])}`
    case 1:
      return pick(random, ['[', '{"a":', '\n', ' ', '"', '(', ',']).repeat(1 + random.int(3000))
    case 2:
      return String(random.normal() * 10 ** (random.int(40) - 20))
    default:
      return pick(random, nastyWords)
  }
}

/** A text with one to three words replaced, put in, left out or repeated, or with lines moved; at times bytes are damaged too. */
export function damageText(random: Random, text: string): Uint8Array {
  const tokens = text.split(/([\s:,;]+|\b)/)
  for (let times = 1 + random.int(2) * random.int(3); times > 0; times--) {
    const at = random.int(tokens.length + 1)
    switch (random.int(5)) {
      case 0:
        tokens.splice(at, 1)
        break
      case 1:
        tokens.splice(at, 0, nastyWord(random))
        break
      case 2:
        tokens.splice(at, 0, ...tokens.slice(at, at + random.int(20)))
        break
      default:
        tokens.splice(at, 1, nastyWord(random))
    }
  }
  const bytes = new TextEncoder().encode(tokens.join(''))
  return random.int(4) === 0 ? damageBytes(random, bytes) : bytes
}

/** A JSON document with one to three parts replaced, left out, put in or repeated; at times its text is damaged. */
export function damageJson(random: Random, document: unknown): Uint8Array {
  if (random.int(4) === 0) return damageText(random, JSON.stringify(document))
  const copy = { root: structuredClone(document) } as Record<string, unknown>
  const raw: string[] = []
  for (let times = 1 + random.int(3); times > 0; times--) damagePart(random, copy, raw)
  const text = JSON.stringify(copy.root) ?? ''
  return new TextEncoder().encode(text.replace(/"@raw(\d+)"/g, (_, k) => raw[Number(k)]))
}

function damagePart(random: Random, root: Record<string, unknown>, raw: string[]): void {
  let parent = root as Record<string, unknown> | unknown[]
  let key: string | number = 'root'
  for (;;) {
    const value: unknown = (parent as Record<string | number, unknown>)[key]
    if (typeof value !== 'object' || value === null || random.int(6) === 0) break
    const keys: string[] = Object.keys(value)
    if (keys.length === 0) break
    parent = value as Record<string, unknown>
    key = pick(random, keys)
  }
  const holder = parent as Record<string | number, unknown>
  switch (random.int(4)) {
    case 0:
      if (Array.isArray(parent)) parent.splice(Number(key), 1)
      else delete holder[key]
      break
    case 1:
      if (Array.isArray(parent)) parent.splice(Number(key), 0, ...parent.slice(random.int(parent.length)))
      else holder[`${pick(random, ['__proto__', 'kind', 'extra', 'of', 'toString'])}`] = holder[key]
      break
    default:
      holder[key] = nastyValue(random, raw)
  }
}

function nastyValue(random: Random, raw: string[]): unknown {
  switch (random.int(6)) {
    case 0: {
      const levels = 1 + random.int(5000)
      const [open, close] = pick(random, [
        ['[', ']'],
        ['{"of":', '}'],
        ['{"kind":"exp","of":', '}'],
        ['[[],', ']'],
      ])
      raw.push(`${open.repeat(levels)}1${close.repeat(levels)}`)
      return `@raw${raw.length - 1}`
    }
    case 1:
      raw.push(
        pick(random, ['1e400', '-0', '1e-400', '0.1', '"\\ud800"', '[1,2', '99999999999999999999', 'NaN']),
      )
      return `@raw${raw.length - 1}`
    case 2:
      return pick(random, [0, -1, 0.5, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53, 1e308, -1e308, 5e-324])
    case 3:
      return pick(random, [
        null,
        true,
        false,
        [],
        {},
        [[]],
        [null],
        { kind: 'linear' },
        { kind: 'sum', of: [] },
      ])
    case 4:
      return Array.from({ length: random.int(20) }, () => random.int(5))
    default:
      return nastyWord(random)
  }
}
