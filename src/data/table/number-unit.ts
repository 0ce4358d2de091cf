/**
 * Numbers as people write them beside what they measure: $1,234.50, 12 %, 80 kg, (45) for minus 45. A unit counts only where all cells of
 * a column have the same: sums of two currencies mean nothing.
 */

const currencies =
  '[$€£¥₹₽₩₺₴₫]|USD|EUR|GBP|CHF|JPY|CNY|INR|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|ZAR|KRW|TRY|RUB|SGD|HKD'
/** Units that may follow a digit without a space: letters there are otherwise part of a code, as in 12A. */
const units =
  '%|‰|°[CF]?|kg|mg|g|lbs?|oz|km/h|mph|km|cm|mm|ml|m|l|ft|kWh|kW|W|V|GHz|MHz|kHz|Hz|KB|kB|MB|GB|TB|ms|min|s|h|px|rpm|cc|hp'
const written = new RegExp(
  `^([+-]?)\\s?(?:(${currencies})\\s?)?([+-]?)(\\d[\\d.,' \\u00a0\\u202f]*?|[.,]\\d+)\\s?((?:${units}|${currencies})|(?<=\\s)\\p{L}{1,12})?$`,
  'u',
)
/** Longer texts are no numbers with units; a search through them could take long. */
const LONGEST = 60

/** The unit that all of some texts have; undefined where there is none, or more than one. */
export function unitOf(texts: readonly string[]): string | undefined {
  const unit = texts.length === 0 ? undefined : partsOf(texts[0])?.unit
  return unit !== undefined && texts.every((text) => partsOf(text)?.unit === unit) ? unit : undefined
}

/** The number alone, of a text with this unit, or without any; the text as it is where it has another, or is no number. */
export function bareNumber(text: string, unit: string | undefined): string {
  const parts = partsOf(text)
  return parts && (parts.unit === undefined || parts.unit === unit) ? parts.number : text
}

function partsOf(text: string): { readonly unit: string | undefined; readonly number: string } | undefined {
  if (text.length > LONGEST) return undefined
  const trimmed = text.trim().replace('\u2212', '-')
  // Accountants write (45) for -45.
  const inner = /^\(([^()]*)\)$/.exec(trimmed)?.[1]
  const found = written.exec(inner ?? trimmed)
  if (!found) return undefined
  const [, first, before, second, digits, after] = found
  const signs = first + second + (inner === undefined ? '' : '-')
  if (signs.length > 1 || (before !== undefined && after !== undefined)) return undefined
  return { unit: before ?? after, number: signs + digits.trim() }
}
