import { parseHTML } from 'linkedom'
import { expect, it } from 'vitest'
import { htmlReport } from '../../src/plots/html-report.ts'

it('makes one self-contained page with escaped text, tables and figures', () => {
  const figure = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="1"/></svg>'
  const html = htmlReport('A <b> & c', [
    { heading: 'First & best', text: ['x < y', 'second'] },
    {
      heading: 'Numbers',
      table: {
        columns: ['solver', 'gap'],
        rows: [
          ['smo <1>', 0.5],
          ['sdca', 2],
        ],
      },
      figures: [figure, figure],
    },
  ])
  const { document } = parseHTML(html)
  const texts = (selector: string) =>
    [...document.querySelectorAll(selector)].map((element) => element.textContent)
  expect(texts('h1')).toEqual(['A <b> & c'])
  expect(texts('h2')).toEqual(['First & best', 'Numbers'])
  expect(texts('p')).toEqual(['x < y', 'second'])
  expect(texts('td')).toEqual(['smo <1>', '0.5', 'sdca', '2'])
  expect(texts('td.number')).toEqual(['0.5', '2'])
  expect(texts('figure')).toHaveLength(2)
  expect(html).not.toMatch(/<script|<link|src=|href=/)
})
