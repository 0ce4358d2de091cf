import { SaxesParser } from 'saxes'

/** An element of an SVG, as the tests look at it. */
export interface SvgElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly parent: SvgElement | undefined
  text: string
}

/** All elements of an SVG in document order; throws where the text is not well-formed XML. */
export function readSvg(svg: string): SvgElement[] {
  const elements: SvgElement[] = []
  const open: SvgElement[] = []
  const parser = new SaxesParser({ xmlns: false })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: { ...attributes }, parent: open.at(-1), text: '' }
    elements.push(element)
    open.push(element)
  })
  parser.on('text', (text) => {
    const element = open.at(-1)
    if (element) element.text += text
  })
  parser.on('closetag', () => {
    open.pop()
  })
  parser.write(svg).close()
  return elements
}

/** The elements inside a group with this description. */
export function described(elements: readonly SvgElement[], description: string): SvgElement[] {
  return elements.filter((element) => {
    for (let e: SvgElement | undefined = element.parent; e; e = e.parent) {
      if (e.attributes['aria-description'] === description) return true
    }
    return false
  })
}

/** The points of a path of straight pieces. */
export function pathPoints(d: string): [number, number][] {
  return [...d.matchAll(/[ML](-?[\d.e+-]+),(-?[\d.e+-]+)/g)].map((match) => [
    Number(match[1]),
    Number(match[2]),
  ])
}
