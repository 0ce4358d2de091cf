/** Formulas as MathML, which browsers typeset themselves. Each function returns markup. */

/** Greek letters, words of maths and plain signs. */
export const v = (name: string) => `<mi>${name}</mi>`
/** A number. */
export const n = (value: string | number) => `<mn>${value}</mn>`
/** An operator. */
export const o = (sign: string) => `<mo>${sign === '<' ? '&lt;' : sign}</mo>`
/** Things in a row. */
export const row = (...parts: readonly string[]) => `<mrow>${parts.join('')}</mrow>`
/** An index. */
export const sub = (base: string, index: string) => `<msub>${base}${index}</msub>`
/** A power. */
export const sup = (base: string, power: string) => `<msup>${base}${power}</msup>`
/** A fraction. */
export const frac = (above: string, below: string) => `<mfrac>${above}${below}</mfrac>`
/** ‖…‖ */
export const norm = (inside: string) => row(o('‖'), inside, o('‖'))
/** ( … ) */
export const group = (...parts: readonly string[]) => row(o('('), ...parts, o(')'))
/** Σ over an index. */
export const sum = (index: string) => `<munder>${o('∑')}${index}</munder>`
/** An operator with what it runs over below. */
export const over = (name: string, below: string) => `<munder>${o(name)}${below}</munder>`
/** Words in a formula. */
export const text = (words: string) => `<mtext>${words}</mtext>`
/** Room. */
export const gap = '<mspace width="1em"/>'
