/** Ways to evaluate a model, as plain data: a name, or a name with its settings. */
import { checkKnown, checkOneOf } from '../../base/check.ts'
import { ParameterError } from '../../base/errors.ts'
import type { Dataset, Label, Times } from '../../data/table/dataset.ts'
import {
  type Fold,
  fiveByTwo,
  groupKFold,
  holdOut,
  kFold,
  leaveOneOut,
  libsvmFolds,
  repeatedKFold,
  stratifiedKFold,
  timeSeriesSplit,
} from '../split/splits.ts'

type Settings = Omit<ProtocolSettings, 'kind'>

const makers = {
  'hold-out': {
    takes: ['testFraction', 'seed', 'stratify', 'groups', 'times'],
    make: (data, o) => [holdOut(data, o)],
  },
  'k-fold': { takes: ['folds', 'seed', 'stratify', 'groups'], make: kFold },
  'stratified-k-fold': { takes: ['folds', 'seed', 'groups'], make: stratifiedKFold },
  'group-k-fold': {
    takes: ['folds', 'seed', 'stratify', 'groups'],
    make: groupKFold,
  },
  'repeated-k-fold': { takes: ['folds', 'repeats', 'seed', 'stratify', 'groups'], make: repeatedKFold },
  'leave-one-out': { takes: ['groups'], make: leaveOneOut },
  '5x2': { takes: ['seed', 'stratify', 'groups'], make: fiveByTwo },
  'time-series': { takes: ['folds', 'times', 'testSize', 'gap', 'maxTrainSize'], make: timeSeriesSplit },
  libsvm: { takes: ['folds', 'seed', 'stratify'], make: libsvmFolds },
} satisfies Record<
  string,
  { takes: readonly (keyof Settings)[]; make: (data: Dataset<unknown>, options: Settings) => Iterable<Fold> }
>

/** The name of a protocol. */
export type ProtocolName = keyof typeof makers

/** All protocols that have a name. */
export const protocolNames = Object.keys(makers) as readonly ProtocolName[]

/** A protocol with its settings. */
export interface ProtocolSettings {
  readonly kind: ProtocolName
  readonly folds?: number
  readonly repeats?: number
  readonly testFraction?: number
  readonly seed?: number
  readonly stratify?: boolean
  readonly groups?: ArrayLike<Label>
  readonly times?: Times
  readonly testSize?: number
  readonly gap?: number
  readonly maxTrainSize?: number
}

/** How to evaluate: a protocol by name, a protocol with settings, or explicit folds. */
export type Protocol = ProtocolName | ProtocolSettings | Iterable<Fold>

/** What holds for a protocol that takes it and does not say otherwise. */
export type ProtocolDefaults = Pick<ProtocolSettings, 'seed' | 'stratify' | 'groups' | 'times'>

/** How samples are split, as an option of evaluation functions. */
export interface ProtocolChoice {
  /** 'k-fold' with 5 parts unless given; 'time-series' for data with times. */
  readonly protocol?: Protocol
  /** Number of folds, for a protocol that is given by name or not at all. */
  readonly folds?: number
}

/** The protocol that was chosen; of data that may be divided at random the `usual` one unless given, of data with times 'time-series'. */
export function chosenProtocol(
  who: string,
  { times }: Pick<Dataset, 'times'>,
  choice: ProtocolChoice,
  usual: ProtocolName = 'k-fold',
): Protocol {
  const { protocol = times === undefined ? usual : 'time-series', folds } = choice
  if (folds === undefined) return protocol
  if (typeof protocol === 'string') return { kind: protocol, folds }
  throw new ParameterError(
    who,
    'folds',
    'does not apply to a protocol with settings of its own, or to given folds',
  )
}

/** The folds of a protocol. */
export function protocolFolds(
  protocol: Protocol,
  data: Dataset<unknown>,
  defaults: ProtocolDefaults = {},
): Iterable<Fold> {
  const settings = protocolSettings(protocol, defaults)
  if (!settings) return protocol as Iterable<Fold>
  const { kind, ...options } = settings
  return makers[kind].make(data, options)
}

/** A protocol with all that it was given, checked; undefined for folds made elsewhere. */
export function protocolSettings(
  protocol: Protocol,
  defaults: ProtocolDefaults = {},
): ProtocolSettings | undefined {
  if (typeof protocol === 'object' && protocol !== null && Symbol.iterator in protocol) return undefined
  const { kind, ...options } =
    typeof protocol === 'object' && protocol !== null ? protocol : { kind: protocol as ProtocolName }
  checkOneOf('protocol', 'kind', kind, protocolNames)
  const takes: readonly string[] = makers[kind].takes
  checkKnown(`protocol ${kind}`, options, takes)
  const own = Object.entries(defaults).filter(([name, value]) => value !== undefined && takes.includes(name))
  return { kind, ...Object.fromEntries(own), ...options }
}
