/** Sliders, menus and buttons: one look, a label each, and the value in words. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

/** A slider. With `log` the ends are powers of ten and the steps even on that scale. */
export function Slider(props: {
  readonly label: ComponentChildren
  readonly value: number
  readonly min: number
  readonly max: number
  readonly step?: number | 'any'
  readonly log?: boolean
  readonly show?: (value: number) => string
  readonly onInput: (value: number) => void
}) {
  const { label, value, min, max, log = false, show = formatNumber, onInput } = props
  const id = useId()
  const { step = log ? 0.05 : 'any' } = props
  const position = log ? Math.log10(value) : value
  const share = Math.min(1, Math.max(0, (position - min) / (max - min)))
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <output for={id}>{show(value)}</output>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={position}
        style={`--share: ${share}`}
        aria-valuetext={show(value)}
        onInput={({ currentTarget }) => {
          const next = Number(currentTarget.value)
          onInput(log ? Number((10 ** next).toPrecision(3)) : next)
        }}
      />
    </div>
  )
}

/** A whole number to type, such as a seed. */
export function WholeNumber(props: {
  readonly label: ComponentChildren
  readonly value: number
  readonly onChange: (value: number) => void
}) {
  const { label, value, onChange } = props
  const id = useId()
  return (
    <div class="field inline">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="number"
        min={0}
        max={MOST_SEED}
        step={1}
        value={value}
        onChange={({ currentTarget }) => {
          const next = Number(currentTarget.value)
          const isFine =
            Number.isInteger(next) && next >= 0 && next <= MOST_SEED && currentTarget.value !== ''
          if (isFine) onChange(next)
          else currentTarget.value = String(value)
        }}
      />
    </div>
  )
}

/** Larger seeds would be cut off. */
const MOST_SEED = 2 ** 32 - 1

/** A menu; entries that cannot be chosen say why. */
export function Menu<V extends string>(props: {
  readonly label: ComponentChildren
  readonly value: V
  readonly options: readonly (readonly [value: V, text: string, disabled?: boolean])[]
  readonly onChange: (value: V) => void
}) {
  const { label, value, options, onChange } = props
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value as V)}>
        {options.map(([option, text, disabled]) => (
          <option key={option} value={option} disabled={disabled}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

/** A box to tick. */
export function Tick(props: {
  readonly label: ComponentChildren
  readonly checked: boolean
  readonly disabled?: boolean
  readonly onChange: (checked: boolean) => void
}) {
  const { label, checked, disabled = false, onChange } = props
  return (
    <label class={`tick${disabled ? ' off' : ''}`}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  )
}

/** A row of buttons of which one is down. */
export function Choice<V extends string | number>(props: {
  readonly label: string
  readonly value: V
  readonly options: readonly (readonly [value: V, text: ComponentChildren, title?: string])[]
  readonly onChange: (value: V) => void
}) {
  const { label, value, options, onChange } = props
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row in every browser.
    <div class="choice" role="group" aria-label={label}>
      {options.map(([option, text, title]) => (
        <button
          key={option}
          type="button"
          aria-pressed={option === value}
          aria-label={title}
          title={title}
          onClick={() => onChange(option)}
        >
          {text}
        </button>
      ))}
    </div>
  )
}

const raised: Readonly<Record<string, string>> = Object.fromEntries(
  [...'-0123456789'].map((digit, k) => [digit, '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'[k]]),
)

/** Numbers as people write them: a few digits, powers of ten beyond. */
export function formatNumber(value: number, digits = 3): string {
  if (value === Number.POSITIVE_INFINITY) return '∞'
  if (!Number.isFinite(value)) return '—'
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size >= 1e5 || size < 1e-3) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split('e')
    const power = `10${String(Number(exponent)).replace(/./g, (digit) => raised[digit])}`
    const factor = String(Number(mantissa)).replace('-', '−')
    return factor === '1' ? power : `${factor}·${power}`
  }
  return String(Number(value.toPrecision(digits))).replace('-', '−')
}
