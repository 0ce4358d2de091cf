/** Structures of Thrift's compact protocol as trees, so that a Parquet footer can be taken apart, edited and put together. */
import type { Random } from '../../src/base/random.ts'
import { join } from './mutate.ts'
import { pick } from './random-data.ts'

const codes = {
  true: 1,
  false: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  struct: 12,
}

/** A value with its type. */
export type Node =
  | { type: 'true' | 'false' }
  | { type: 'byte'; value: number }
  | { type: 'i16' | 'i32' | 'i64'; value: bigint }
  | { type: 'double' | 'binary'; value: Uint8Array }
  | { type: 'list'; of: Node['type']; items: Node[] }
  | { type: 'struct'; fields: Field[] }

/** A field of a structure. */
export interface Field {
  id: number
  node: Node
}

/** A structure of the fields that are defined. */
export function struct(fields: Readonly<Record<number, Node | undefined>>): Node {
  const given = Object.entries(fields).flatMap(([id, node]) => (node ? [{ id: Number(id), node }] : []))
  return { type: 'struct', fields: given }
}

/** A number of 32 bits. */
export const i32 = (value: number): Node => ({ type: 'i32', value: BigInt(value) })
/** A number of 64 bits. */
export const i64 = (value: number): Node => ({ type: 'i64', value: BigInt(value) })
/** Text. */
export const text = (value: string): Node => ({ type: 'binary', value: new TextEncoder().encode(value) })
/** A list of nodes of one type. */
export const list = (items: Node[], of: Node['type'] = 'struct'): Node => ({ type: 'list', of, items })

/** The bytes of a value. */
export function writeNode(node: Node): Uint8Array {
  switch (node.type) {
    case 'true':
    case 'false':
      return new Uint8Array(0)
    case 'byte':
      return Uint8Array.of(node.value)
    case 'i16':
    case 'i32':
    case 'i64':
      return varint(node.value >= 0n ? 2n * node.value : -2n * node.value - 1n)
    case 'double':
      return node.value
    case 'binary':
      return join(varint(BigInt(node.value.length)), node.value)
    case 'list': {
      const { items, of } = node
      const head =
        items.length < 15 ? Uint8Array.of((items.length << 4) | codes[of]) : Uint8Array.of(0xf0 | codes[of])
      const size = items.length < 15 ? new Uint8Array(0) : varint(BigInt(items.length))
      const parts = items.map((item) =>
        of === 'true' || of === 'false' ? Uint8Array.of(codes[item.type]) : writeNode(item),
      )
      return join(head, size, ...parts)
    }
    default: {
      let last = 0
      const parts = node.fields.map(({ id, node: value }) => {
        const step = id - last
        last = id
        const code = codes[value.type]
        const head =
          step > 0 && step < 16
            ? Uint8Array.of((step << 4) | code)
            : join(Uint8Array.of(code), varint(2n * BigInt(id)))
        return join(head, writeNode(value))
      })
      return join(...parts, Uint8Array.of(0))
    }
  }
}

function varint(value: bigint): Uint8Array {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  return Uint8Array.from([...bytes, Number(rest)])
}

/** The structure that starts at `bytes[0]`. */
export function readTree(bytes: Uint8Array): Node {
  let at = 0
  const number = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return value
    }
  }
  const signed = (): bigint => {
    const value = number()
    return value & 1n ? -(value >> 1n) - 1n : value >> 1n
  }
  const take = (length: number): Uint8Array => {
    at += length
    return bytes.slice(at - length, at)
  }
  const typeOf = (code: number): Node['type'] =>
    (Object.keys(codes) as Node['type'][]).find((name) => codes[name] === code)!
  const value = (type: Node['type'], inList: boolean): Node => {
    switch (type) {
      case 'true':
      case 'false':
        return { type: inList ? typeOf(bytes[at++]) : type } as Node
      case 'byte':
        return { type, value: bytes[at++] }
      case 'i16':
      case 'i32':
      case 'i64':
        return { type, value: signed() }
      case 'double':
        return { type, value: take(8) }
      case 'binary':
        return { type, value: take(Number(number())) }
      case 'list': {
        const head = bytes[at++]
        const size = head >> 4 === 15 ? Number(number()) : head >> 4
        const of = typeOf(head & 15)
        return { type, of, items: Array.from({ length: size }, () => value(of, true)) }
      }
      default: {
        const fields: Field[] = []
        for (let id = 0; ; ) {
          const head = bytes[at++]
          if ((head & 15) === 0) return { type: 'struct', fields }
          id = head >> 4 === 0 ? Number(signed()) : id + (head >> 4)
          fields.push({ id, node: value(typeOf(head & 15), false) })
        }
      }
    }
  }
  return value('struct', false)
}

const numbers = [0n, -1n, 1n, 2n, 3n, 7n, 127n, 128n, 255n, 1000n, 65536n, 1000000n, 100000000n]
const large = [2n ** 31n - 1n, 2n ** 31n, 2n ** 32n, 2n ** 40n, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 31n)]

/** Edits one part of the tree in place; returns the way to it, as in `2.1.6` (positions in lists, ids of fields). */
export function editTree(random: Random, root: Node): string {
  const places: { node: Node; path: string; replace: (node: Node) => void }[] = []
  const visit = (node: Node, path: string, replace: (node: Node) => void): void => {
    places.push({ node, path, replace })
    if (node.type === 'list') {
      for (const [k, item] of node.items.entries()) {
        visit(item, `${path}.${k}`, (one) => {
          node.items[k] = one
        })
      }
    }
    if (node.type === 'struct') {
      for (const field of node.fields) {
        visit(field.node, `${path}.${field.id}`, (one) => {
          field.node = one
        })
      }
    }
  }
  visit(root, '', () => {})
  const { node, path, replace } = pick(random, places.slice(1))
  switch (node.type) {
    case 'i16':
    case 'i32':
    case 'i64': {
      const { value } = node
      const choices = [
        value + 1n,
        value - 1n,
        2n * value,
        value / 2n,
        value ^ 4n,
        -value,
        pick(random, numbers),
        pick(random, large),
      ]
      const next = pick(random, choices)
      replace({ type: node.type, value: BigInt.asIntN(node.type === 'i64' ? 64 : 32, next) })
      break
    }
    case 'true':
    case 'false':
      replace({ type: node.type === 'true' ? 'false' : 'true' })
      break
    case 'binary': {
      const value = Uint8Array.from(node.value)
      if (value.length > 0 && random.int(3) > 0) value[random.int(value.length)] ^= 1 << random.int(8)
      replace({
        type: 'binary',
        value: random.int(3) > 0 ? value : value.slice(0, random.int(value.length + 1)),
      })
      break
    }
    case 'list': {
      const { items } = node
      const at = random.int(items.length + 1)
      const kind = random.int(3)
      if (kind === 0) items.splice(at, 1)
      else if (kind === 1) items.splice(at, 0, ...items.slice(at, at + 1))
      else items.length = 0
      break
    }
    case 'struct': {
      const at = random.int(node.fields.length)
      if (random.int(2) === 0) node.fields.splice(at, 1)
      else if (node.fields.length > 0) node.fields[at].id += pick(random, [1, 2, 5])
      break
    }
    default:
      replace(i32(random.int(100)))
  }
  return path.slice(1)
}

/** The part at the end of a way that {@link editTree} returns; undefined when it is not there. */
export function nodeAt(root: Node, path: string): Node | undefined {
  return path.split('.').reduce<Node | undefined>((node, step) => {
    if (node?.type === 'list') return node.items[Number(step)]
    return node?.type === 'struct' ? node.fields.find(({ id }) => id === Number(step))?.node : undefined
  }, root)
}
