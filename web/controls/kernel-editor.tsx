/** A kernel and its parameters; combinators hold further kernels, which are edited in the same way. */
import type { KernelSpec } from '../../src/index.ts'
import type { Gamma } from '../../src/kernels.ts'
import { Menu, Slider, Tick } from './fields.tsx'

type Kind = 'linear' | 'polynomial' | 'rbf' | 'sigmoid' | 'sum' | 'product' | 'scale' | 'shift' | 'exp'

const plainKinds: readonly (readonly [Kind, string])[] = [
  ['linear', 'linear'],
  ['polynomial', 'polynomial'],
  ['rbf', 'Gaussian (rbf)'],
  ['sigmoid', 'sigmoid'],
]

const combinators: readonly (readonly [Kind, string])[] = [
  ['sum', 'sum k₁ + k₂'],
  ['product', 'product k₁ · k₂'],
  ['scale', 'scaled a · k'],
  ['shift', 'shifted k + a'],
  ['exp', 'exponential eᵏ'],
]

/** Combinators may be nested so deep. */
const MOST_DEPTH = 2

/** Edits `spec`. `group` names it for undo. */
export function KernelEditor(props: {
  readonly spec: KernelSpec
  readonly onChange: (spec: KernelSpec, group: string) => void
  readonly label?: string
  readonly group?: string
  readonly depth?: number
}) {
  const { spec, onChange, label = 'Kernel', group = 'kernel', depth = 0 } = props
  const set = (part: object, name = '') =>
    onChange({ ...spec, ...part } as KernelSpec, name && `${group}.${name}`)
  const inner = (of: KernelSpec, name: string, put: (next: KernelSpec) => object, title: string) => (
    <KernelEditor
      spec={of}
      label={title}
      group={`${group}.${name}`}
      depth={depth + 1}
      onChange={(next, within) => onChange({ ...spec, ...put(next) } as KernelSpec, within)}
    />
  )
  return (
    <div class={depth > 0 ? 'nested' : 'stack'}>
      <Menu
        label={label}
        value={spec.kind as Kind}
        options={depth < MOST_DEPTH ? [...plainKinds, ...combinators] : plainKinds}
        onChange={(kind) => onChange(makeSpec(kind, spec), '')}
      />
      {'gamma' in spec && (
        <GammaField
          gamma={spec.gamma}
          // For a Gaussian γ = 1 / (2σ²): the larger, the narrower. The others multiply the inner product by it.
          label={spec.kind === 'rbf' ? 'inverse width γ' : 'factor γ'}
          onChange={(gamma) => set({ gamma }, 'gamma')}
        />
      )}
      {'degree' in spec && (
        <Slider
          label="degree"
          value={spec.degree}
          min={1}
          max={8}
          step={1}
          onInput={(degree) => set({ degree }, 'degree')}
        />
      )}
      {'coef0' in spec && (
        <Slider
          label="constant c₀"
          value={spec.coef0}
          min={-2}
          max={4}
          step={0.1}
          onInput={(coef0) => set({ coef0 }, 'coef0')}
        />
      )}
      {spec.kind === 'scale' && (
        <Slider
          label="factor a"
          value={spec.factor}
          min={-2}
          max={2}
          log
          onInput={(factor) => set({ factor }, 'factor')}
        />
      )}
      {spec.kind === 'shift' && (
        <Slider
          label="offset a"
          value={spec.offset}
          min={0}
          max={10}
          step={0.1}
          onInput={(offset) => set({ offset }, 'offset')}
        />
      )}
      {(spec.kind === 'sum' || spec.kind === 'product') &&
        spec.of.map((part, k) =>
          inner(
            part,
            String(k),
            (next) => ({ of: spec.of.map((old, at) => (at === k ? next : old)) }),
            `${label} ${k + 1}`,
          ),
        )}
      {(spec.kind === 'scale' || spec.kind === 'shift' || spec.kind === 'exp') &&
        inner(spec.of, 'of', (of) => ({ of }), `${label} inside`)}
    </div>
  )
}

function GammaField({
  gamma,
  label,
  onChange,
}: {
  readonly gamma: Gamma
  readonly label: string
  readonly onChange: (gamma: Gamma) => void
}) {
  const isRule = typeof gamma !== 'number'
  return (
    <>
      {!isRule && <Slider label={label} value={gamma} min={-3} max={3} log onInput={onChange} />}
      <Tick
        label="γ from the variance of the data"
        checked={isRule}
        onChange={(checked) => onChange(checked ? 'scale' : 1)}
      />
    </>
  )
}

/** A kernel of another kind that keeps what it can of the old one. */
function makeSpec(kind: Kind, old: KernelSpec): KernelSpec {
  const gamma = 'gamma' in old ? old.gamma : 1
  const coef0 = 'coef0' in old ? old.coef0 : 1
  switch (kind) {
    case 'linear':
      return { kind }
    case 'polynomial':
      return { kind, gamma, coef0, degree: 3 }
    case 'rbf':
      return { kind, gamma }
    case 'sigmoid':
      return { kind, gamma, coef0: 0 }
    case 'sum':
    case 'product':
      return { kind, of: [isPlain(old) ? old : { kind: 'rbf', gamma }, { kind: 'linear' }] }
    case 'scale':
      return { kind, factor: 2, of: isPlain(old) ? old : { kind: 'rbf', gamma } }
    case 'shift':
      return { kind, offset: 1, of: isPlain(old) ? old : { kind: 'rbf', gamma } }
    case 'exp':
      return { kind, of: isPlain(old) ? old : { kind: 'linear' } }
  }
}

/** Whether LIBSVM knows the kernel: those that are not made of others. */
export function hasLibsvmKernel(spec: KernelSpec): boolean {
  return isPlain(spec)
}

function isPlain({ kind }: KernelSpec): boolean {
  return plainKinds.some(([plain]) => plain === kind)
}
