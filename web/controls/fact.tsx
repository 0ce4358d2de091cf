/** One number with its name. */
export function Fact(props: {
  readonly name: string
  readonly value: string
  readonly note?: string | undefined
  readonly wide?: boolean
}) {
  const { name, value, note, wide = false } = props
  return (
    <div class={wide ? 'wide' : undefined}>
      <dt>{name}</dt>
      <dd>
        {value}
        {note && <small>{note}</small>}
      </dd>
    </div>
  )
}
