/**
 * Checks what comes from outside as JSON, field by field, and says which field is wrong and how: `import * as z from …`.
 * A schema turns an unknown value into a typed one or refuses it. Small, because it is part of `hyperplane/predict`, which
 * pages load.
 */
import { show } from './errors.ts'

/** A field that is not as its schema says. */
export interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** What {@link Schema.safeParse} returns. */
export type Parsed<T> =
  | { readonly success: true; readonly data: T; readonly error?: undefined }
  | { readonly success: false; readonly data?: undefined; readonly error: Issue }

/** Refuses the value that is being read; `path` leads from there to the part that is to blame. */
export type Refuse = (message: string, path?: readonly PropertyKey[]) => never

class Refusal extends Error {
  readonly path: PropertyKey[]

  constructor(message: string, path: readonly PropertyKey[]) {
    super(message)
    this.path = [...path]
  }
}

const refuse: Refuse = (message, path = []) => {
  throw new Refusal(message, path)
}

/** Refuses what is not there or is not what it should be; `path` leads to it. */
export function refuseValue(allowed: string, got: unknown, path?: readonly PropertyKey[]): never {
  return refuse(got === undefined ? 'is missing' : `must be ${allowed}, got ${show(got)}`, path)
}

/** Reads a part of a value: what is refused within it is named by the way to it. */
function within<T>(key: PropertyKey, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof Refusal) error.path.unshift(key)
    throw error
  }
}

/** What a value must look like, and what becomes of it. */
export class Schema<T> {
  /** The checked value; what is not allowed is refused by throwing. */
  readonly read: (value: unknown) => T

  constructor(read: (value: unknown) => T) {
    this.read = read
  }

  /** The checked value, or the first thing that is wrong with it. */
  safeParse(value: unknown): Parsed<T> {
    try {
      return { success: true, data: this.read(value) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { success: false, error: { path: error.path, message: error.message } }
    }
  }

  /** The same, but the field may be absent. */
  optional(): OptionalSchema<T> {
    return new OptionalSchema<T>((value) => (value === undefined ? undefined : this.read(value)) as T)
  }

  /** The same, with a further condition. */
  refine(holds: (value: T) => unknown, message: string): Schema<T> {
    return this.check((value, refuse) => {
      if (!holds(value)) refuse(message)
    })
  }

  /** The same, with further conditions that say themselves what is wrong. */
  check(look: (value: T, refuse: Refuse) => void): Schema<T> {
    return this.transform((value) => {
      look(value, refuse)
      return value
    })
  }

  /** What becomes of a value that is as it should be. */
  transform<U>(change: (value: T) => U): Schema<U> {
    return new Schema((value) => change(this.read(value)))
  }
}

/** Schema of a field that may be absent. */
export class OptionalSchema<T> extends Schema<T> {
  declare readonly absent: true
}

/** What a schema gives. */
export type Infer<S> = S extends Schema<infer T> ? T : never

type Shape = Readonly<Record<string, Schema<unknown>>>
type AbsentKeys<S> = { [K in keyof S]: S[K] extends OptionalSchema<unknown> ? K : never }[keyof S]
type Fields<S> = { [K in Exclude<keyof S, AbsentKeys<S>>]: Infer<S[K]> } & {
  [K in AbsentKeys<S>]?: Infer<S[K]> | undefined
}
type Flat<T> = { [K in keyof T]: T[K] }

/** A schema with its own words: `read` returns the value or refuses it. */
export function custom<T>(read: (value: unknown, refuse: Refuse) => T): Schema<T> {
  return new Schema((value) => read(value, refuse))
}

/** Anything that is there. */
export const unknown = (): Schema<unknown> => new Schema((value) => value)

/** This value and no other. */
export function literal<const T extends string | number | boolean>(wanted: T): Schema<T> {
  return new Schema((value) => (value === wanted ? wanted : refuseValue(show(wanted), value)))
}

/** One of these texts. */
export function oneOf<const T extends readonly string[]>(allowed: T): Schema<T[number]> {
  return new Schema((value) =>
    allowed.includes(value as string)
      ? (value as T[number])
      : refuseValue(`one of ${allowed.map(show).join(', ')}`, value),
  )
}

/** A text; of a pattern, where there is one. */
export function string(pattern?: RegExp, message?: string): Schema<string> {
  return new Schema((value) => {
    if (typeof value !== 'string') return refuseValue('a string', value)
    return pattern && !pattern.test(value) ? refuse(message ?? `must match ${pattern}`) : value
  })
}

/** True or false. */
export const boolean = (): Schema<boolean> =>
  new Schema((value) => (typeof value === 'boolean' ? value : refuseValue('true or false', value)))

/** A finite number within these bounds. */
export function number(range: { min?: number; max?: number; above?: number } = {}): Schema<number> {
  return numberOf('a number', Number.isFinite, range)
}

/** A whole number that a double holds exactly, within these bounds. */
export function int(range: { min?: number; max?: number } = {}): Schema<number> {
  return numberOf('a whole number', Number.isSafeInteger, range)
}

/** A number of things, as 32 bits hold it. */
export const count = int({ min: 0, max: 0xffffffff })

function numberOf(
  what: string,
  holds: (value: unknown) => boolean,
  { min, max, above }: { min?: number; max?: number; above?: number },
): Schema<number> {
  const bounds = [
    ...(min === undefined ? [] : [`>= ${min}`]),
    ...(above === undefined ? [] : [`> ${above}`]),
    ...(max === undefined ? [] : [`<= ${max}`]),
  ]
  const allowed = [what, bounds.join(' and ')].filter(Boolean).join(' ')
  return new Schema((value) => {
    const number = value as number
    const fits = holds(value) && !(min !== undefined && number < min) && !(max !== undefined && number > max)
    return fits && !(above !== undefined && number <= above) ? number : refuseValue(allowed, value)
  })
}

/** A list of things that are alike; at least and at most so many. */
export function array<T>(
  of: Schema<T>,
  { min = 0, max = Number.POSITIVE_INFINITY }: { min?: number; max?: number } = {},
): Schema<T[]> {
  return new Schema((value) => {
    if (!Array.isArray(value)) return refuseValue('an array', value)
    if (value.length < min) return refuse(`must have ${min} or more entries, got ${value.length}`)
    if (value.length > max) return refuse(`must have at most ${max} entries, got ${value.length}`)
    return value.map((part, i) => within(i, () => of.read(part)))
  })
}

/** A list of one. */
export function single<T>(of: Schema<T>): Schema<[T]> {
  return array(of, { min: 1, max: 1 }) as unknown as Schema<[T]>
}

/** An object of these fields and no others. */
export function object<S extends Shape>(shape: S): Schema<Flat<Fields<S>>> {
  const names = Object.keys(shape)
  return new Schema((value) => {
    const given = fieldsOf(value)
    const fields: Record<string, unknown> = {}
    for (const name of names) {
      const field = within(name, () => shape[name].read(Object.hasOwn(given, name) ? given[name] : undefined))
      if (field !== undefined) fields[name] = field
    }
    const stray = Object.keys(given).find((name) => !Object.hasOwn(shape, name))
    return stray === undefined ? (fields as Flat<Fields<S>>) : refuse(`has an unknown field ${show(stray)}`)
  })
}

/** An object of any names, whose values are alike. */
export function record<T>(of: Schema<T>): Schema<Record<string, T>> {
  return new Schema((value) =>
    Object.fromEntries(
      Object.entries(fieldsOf(value)).map(([name, part]) => [name, within(name, () => of.read(part))]),
    ),
  )
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuseValue('an object', value)
  }
  return value as Readonly<Record<string, unknown>>
}

/** The first of these that a value is; what is wrong is said in `message`, or by the last of them. */
export function union<const S extends readonly Schema<unknown>[]>(
  schemas: S,
  message?: string,
): Schema<Infer<S[number]>> {
  return new Schema((value) => {
    let last: Issue = { path: [], message: '' }
    for (const schema of schemas) {
      const { success, data, error } = schema.safeParse(value)
      if (success) return data as Infer<S[number]>
      last = error
    }
    return message === undefined ? refuse(last.message, last.path) : refuse(message)
  })
}

/** One of several kinds of object, which a field names. */
export function variants<const F extends string, const S extends Readonly<Record<string, Schema<unknown>>>>(
  field: F,
  schemas: S,
): Schema<Infer<S[keyof S]>> {
  return new Schema((value) => {
    const kind = fieldsOf(value)[field]
    const known = typeof kind === 'string' && Object.hasOwn(schemas, kind)
    if (!known) within(field, () => refuseValue(`one of ${Object.keys(schemas).map(show).join(', ')}`, kind))
    return schemas[kind as string].read(value) as Infer<S[keyof S]>
  })
}

/** A schema that contains itself. */
export function lazy<T>(make: () => Schema<T>): Schema<T> {
  return new Schema((value) => make().read(value))
}
