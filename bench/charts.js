// The results of a run as figures: seconds of every tool on every set, and how time grows with the number of samples.
import * as Plot from '@observablehq/plot'
import { DOMParser } from 'linkedom/worker'
import { ratio } from './ratios.js'
import { titleOf } from './report.js'

// Okabe and Ito's colours, which colour-blind readers can tell apart; ours are the two blues.
const colours = {
  hyperplane: '#0072b2',
  'hyperplane-1': '#56b4e9',
  'svm-train': '#d55e00',
  libsvm: '#d55e00',
  'sklearn-dense': '#009e73',
  'sklearn-sparse': '#e69f00',
  'libsvm-js': '#cc79a7',
  'ml-svm': '#1f2328',
}
const colourOf = (name) => colours[name] ?? '#6e7781'
const font = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'
const width = 860

/** Seconds of training, one line a set; the text of an SVG. */
export function trainingChart({ training, machine }) {
  return secondsChart({
    title: 'Seconds of training',
    subtitle: `Whole commands, libraries: fit alone. In grey: svm-train by Hyperplane. ${machine.cpu}, ${machine.cores} cores`,
    sets: training,
    peer: 'svm-train',
    rowHeight: 30,
  })
}

/** Seconds of all tools, one line a set, on a logarithmic scale, with how many times faster than `peer` ours is. */
export function secondsChart({ title, subtitle, sets, peer, rowHeight }) {
  const points = sets.flatMap((set) =>
    Object.entries(set.tools)
      .filter(([, { best }]) => best > 0)
      .map(([tool, { best }]) => ({ set: set.name, tool, seconds: best })),
  )
  const tools = [...new Set(points.map(({ tool }) => tool))]
  const spans = sets
    .filter((set) => ratio(set, peer) !== undefined)
    .map((set) => ({
      set: set.name,
      from: set.tools.hyperplane.best,
      to: set.tools[peer].best,
      text: `${ratio(set, peer).toPrecision(2)}x`,
    }))
  const last = Math.max(...points.map((point) => point.seconds))
  return figure(title, subtitle, tools, 150 + rowHeight * sets.length, {
    marginLeft: 140,
    marginRight: 64,
    insetLeft: 10,
    insetRight: 10,
    marginBottom: 44,
    x: { type: 'log', label: 'seconds', grid: true, tickFormat: String, ticks: 6, ...centred },
    y: { domain: sets.map(({ name }) => name), label: null },
    marks: [
      Plot.frame({ stroke: '#d0d7de' }),
      Plot.ruleY(spans, { y: 'set', x1: 'from', x2: 'to', stroke: '#d0d7de', strokeWidth: 3 }),
      Plot.text(spans, { y: 'set', x: last, text: 'text', dx: 18, textAnchor: 'start', fill: '#6e7781' }),
      Plot.dot(points, {
        x: 'seconds',
        y: 'set',
        r: (point) => (point.tool === 'hyperplane' ? 5.5 : 4),
        fill: (point) => colourOf(point.tool),
        title: (point) => `${titleOf(point.tool)}, ${point.set}: ${point.seconds.toPrecision(3)} s`,
      }),
    ],
  })
}

/** Seconds against samples, both logarithmic; the text of an SVG. */
export function growthChart({ growth, machine }) {
  const lines = growth.flatMap(({ from, points }) =>
    points
      .filter(({ seconds }) => seconds > 0)
      .map((point) => ({ ...point, line: `${from} ${point.tool}`, from })),
  )
  const tools = [...new Set(lines.map(({ tool }) => tool))]
  const ends = lines.filter((point, k) => lines.slice(k + 1).every((other) => other.line !== point.line))
  return figure(
    'Growth with the number of samples',
    `Whole commands. ${machine.cpu}, ${machine.cores} cores`,
    tools,
    460,
    {
      marginLeft: 60,
      marginRight: 100,
      inset: 10,
      marginBottom: 44,
      x: {
        type: 'log',
        label: 'samples',
        grid: true,
        ticks: 6,
        tickFormat: (n) => n.toLocaleString('en-US'),
        ...centred,
      },
      y: { type: 'log', label: 'seconds', grid: true, tickFormat: String, ticks: 6, ...centred },
      marks: [
        Plot.frame({ stroke: '#d0d7de' }),
        Plot.line(lines, {
          x: 'rows',
          y: 'seconds',
          z: 'line',
          stroke: (point) => colourOf(point.tool),
          strokeWidth: 1.8,
        }),
        Plot.dot(lines, { x: 'rows', y: 'seconds', r: 3.2, fill: (point) => colourOf(point.tool) }),
        Plot.text(ends, { x: 'rows', y: 'seconds', text: 'from', textAnchor: 'start', dx: 8 }),
      ],
    },
  )
}

const centred = { labelAnchor: 'center', labelArrow: 'none' }

/** A title, a subtitle and a legend above what Plot draws, all in one SVG that stands alone in a file. */
function figure(title, subtitle, tools, height, options) {
  // An XML document, so that what Plot builds is written out as XML.
  const document = new DOMParser().parseFromString(
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'image/svg+xml',
  )
  const top = 84
  const drawing = Plot.plot({
    document,
    width,
    height: height - top,
    style: { fontFamily: font, fontSize: '12px' },
    ...options,
  })
  drawing.setAttribute('y', String(top))
  let x = 16
  const legend = tools.map((tool) => {
    const label = titleOf(tool)
    const entry = `<circle cx="${x + 5}" cy="68" r="5" fill="${colourOf(tool)}"/><text x="${x + 15}" y="72">${escapeMarkup(label)}</text>`
    x += 34 + 6 * label.length
    return entry
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="${escapeMarkup(font)}" font-size="11.5" fill="#1f2328">`,
    `<title>${escapeMarkup(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="16" y="25" font-size="16" font-weight="600">${escapeMarkup(title)}</text>`,
    `<text x="16" y="45" font-size="12.5" fill="#57606a">${escapeMarkup(subtitle)}</text>`,
    ...legend,
    drawing.outerHTML,
    '</svg>\n',
  ].join('')
}

function escapeMarkup(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
