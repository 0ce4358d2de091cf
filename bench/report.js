// The results of a run as Markdown.
import { ratio, ratios } from './ratios.js'
import { geometricMean } from './statistics.js'

const titles = {
  hyperplane: 'Hyperplane',
  'hyperplane-1': 'Hyperplane, 1 thread',
  'svm-train': 'svm-train',
  'svm-predict': 'svm-predict',
  'sklearn-dense': 'scikit-learn dense, fit',
  'sklearn-sparse': 'scikit-learn sparse, fit',
  'libsvm-js': 'libsvm-js, fit',
  'ml-svm': 'ml-svm, fit',
}

/** What tables call a tool. */
export const titleOf = (name) => titles[name] ?? name.replace(/^svm-train-(\d+)$/, 'svm-train, $1 threads')

/** The whole report. */
export function report(results) {
  const { training, predicting, growth, small, goals } = results
  return [
    '# Benchmark results',
    '',
    ...introduction(results),
    ...section('Training', trainingTable(training), [
      'Seconds, best of the runs, and in brackets how many times Hyperplane, as a whole command, is faster. Commands are',
      'timed from start to exit: reading, fitting, saving. Of libraries only the call of `fit` is timed.',
    ]),
    ...section('Equal work', workTable(training), [
      'The same tolerance (1e-3) and cache (1000 MB) for all. Distance of the dual value from the optimum, relative to it;',
      'the optimum is a run with tolerance 1e-6. A comparison is unfair when Hyperplane is worse than svm-train by more',
      'than 1e-6. Dual values (of saved models) and violations are computed afresh in f64 by the reference backend;',
      'that of scikit-learn is what it prints.',
    ]),
    ...section('CPU time and memory', resourceTable(training), [
      'CPU time, all threads together, and peak memory of the whole command.',
    ]),
    ...section('Predicting', predictionTable(predicting), [
      "Whole commands, with Hyperplane's model in LIBSVM's format.",
    ]),
    ...section('Growth', growthTable(growth), [
      'Seconds of whole commands on random parts of a set; the slope is that of the line through the logarithms: 1 is',
      'linear, 2 quadratic. Start-up flattens it on small sets, so the slope of the solver alone stands beside it.',
    ]),
    ...section('Small problems', smallTable(small), ['270 samples with 13 features.']),
    ...section('Goals', goalTable(goals), []),
  ].join('\n')
}

/** The table of the README: commands against commands, and libraries where they are measured. */
export function readmeTable({ training, machine, versions }) {
  const sets = training.filter((set) => set.judged && ratio(set, 'svm-train') !== undefined)
  const cell = (set, name) => (set.tools[name]?.best ? seconds(set.tools[name].best) : '–')
  const rows = sets.map((set) => [
    `${set.name} (${sizeOf(set)}${set.kernel === 'linear' ? ', linear' : ''})`,
    cell(set, 'svm-train'),
    cell(set, fastestSklearn(set)),
    cell(set, 'hyperplane'),
    times(ratio(set, 'svm-train')),
  ])
  const mean = geometricMean(ratios(sets, 'svm-train').map(([, value]) => value))
  const oneThread = ratios(sets, 'svm-train', 'hyperplane-1').map(([, value]) => value)
  return [
    table(['training set', 'svm-train', 'scikit-learn, fit', 'Hyperplane', 'against svm-train'], rows),
    `Seconds; geometric mean ${times(mean)}${oneThread.length ? `, on one thread ${times(geometricMean(oneThread))}` : ''}.`,
    `LIBSVM ${versions.libsvm}, scikit-learn ${versions.sklearn}, Node ${versions.node}, ${machine.cores} cores (${machine.cpu}).`,
    'Same tolerance, same cache, same optimum; all of it: [bench/results](bench/results/results.md), made by `npm run bench`.',
  ].join('\n')
}

function fastestSklearn({ tools }) {
  const [dense, sparse] = [tools['sklearn-dense']?.best, tools['sklearn-sparse']?.best]
  return dense <= (sparse ?? Number.POSITIVE_INFINITY) ? 'sklearn-dense' : 'sklearn-sparse'
}

function introduction({ date, machine, versions, options, notes }) {
  const peers = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return [
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGigabytes} GB, ${machine.system}; ${date}.`,
    '',
    `Versions: ${peers.join(', ')}.`,
    '',
    `Best of ${options.runs} interleaved runs; fewer for tools that take longer than ${options.budget} s together.`,
    '',
    ...notes.flatMap((note) => [`- ${note}`]),
    ...(notes.length > 0 ? [''] : []),
  ]
}

function section(title, text, remarks) {
  if (!text) return []
  return [`## ${title}`, '', ...remarks, ...(remarks.length > 0 ? [''] : []), text]
}

function trainingTable(training) {
  if (!training.length) return ''
  const peers = peersIn(training)
  const cell = (set, name) => {
    const { best, failure, refused } = set.tools[name] ?? {}
    if (!best) return failure ?? refused ?? '–'
    const faster = ratio(set, name)
    const isOurs = name.startsWith('hyperplane')
    return `${seconds(best)}${isOurs || faster === undefined ? '' : ` (${times(faster)})`}`
  }
  const ours = ['hyperplane', ...(training.some((set) => set.tools['hyperplane-1']) ? ['hyperplane-1'] : [])]
  const means = (name, one) => {
    const all = ratios(
      training.filter((set) => set.judged),
      name,
      one,
    ).map(([, value]) => value)
    return all.length ? times(geometricMean(all)) : '–'
  }
  return table(
    ['set', 'size', 'kernel', ...[...ours, ...peers].map(titleOf)],
    [
      ...training.map((set) => [
        set.judged ? `${set.name} *` : set.name,
        sizeOf(set),
        `${set.kernel} C ${set.C}${set.gamma ? ` γ ${Number(set.gamma.toPrecision(3))}` : ''}`,
        ...[...ours, ...peers].map((name) => cell(set, name)),
      ]),
      ['geometric mean of *', '', '', ...ours.map(() => ''), ...peers.map((name) => means(name))],
      ...(ours.length > 1
        ? [
            [
              '… against one thread',
              '',
              '',
              ...ours.map(() => ''),
              ...peers.map((name) => means(name, 'hyperplane-1')),
            ],
          ]
        : []),
    ],
  )
}

function peersIn(training) {
  const names = new Set(training.flatMap((set) => Object.keys(set.tools)))
  return [...names].filter((name) => !name.startsWith('hyperplane'))
}

function workTable(training) {
  if (!training.length) return ''
  const excess = (set, name) => set.excess[name]?.toExponential(1) ?? '–'
  const rows = training.map((set) => [
    set.name,
    set.reference ? String(Number(set.reference.dual.toPrecision(10))) : '–',
    excess(set, 'hyperplane'),
    excess(set, 'svm-train'),
    excess(set, 'sklearn-dense'),
    set.certified.failure ?? set.certified.maxViolation.toExponential(2),
    set.fair === undefined ? '–' : set.fair ? 'yes' : '**unfair**',
    set.sameBits === undefined ? '–' : set.sameBits ? 'yes' : '**no**',
  ])
  return table(
    [
      'set',
      'optimum',
      'Hyperplane',
      'svm-train',
      'scikit-learn',
      'violation',
      'fair',
      'same bits on 1 thread',
    ],
    rows,
  )
}

function resourceTable(training) {
  const names = ['hyperplane', 'hyperplane-1', 'svm-train', 'sklearn-dense']
  const shown = names.filter((name) => training.some((set) => set.tools[name]?.peakBytes))
  if (shown.length === 0) return ''
  const cell = ({ cpuSeconds, peakBytes } = {}) =>
    peakBytes ? `${seconds(cpuSeconds)} s, ${Math.round(peakBytes / 1e6)} MB` : '–'
  return table(
    ['set', 'data in memory', ...shown.map((name) => titleOf(name).replace(', fit', ''))],
    training.map((set) => [
      set.name,
      `${(set.dataBytes / 1e6).toPrecision(3)} MB`,
      ...shown.map((name) => cell(set.tools[name])),
    ]),
  )
}

function predictionTable(predicting = []) {
  if (!predicting.length) return ''
  const names = ['hyperplane', 'hyperplane-1', 'svm-predict']
  const shown = names.filter((name) => predicting.some((set) => set.tools[name]))
  return table(
    ['set', 'samples', ...shown.map(titleOf), 'against svm-predict', 'labels that differ'],
    predicting.map((set) => [
      set.name,
      set.rows,
      ...shown.map((name) =>
        set.tools[name]?.best ? seconds(set.tools[name].best) : (set.tools[name]?.failure ?? '–'),
      ),
      times(ratio(set, 'svm-predict')),
      set.labels === undefined ? '–' : `${set.differing} (${set.decided} with |f| >= 1e-5)`,
    ]),
  )
}

function growthTable(growth = []) {
  if (!growth.length) return ''
  const rows = growth.flatMap(({ from, points, slopes }) =>
    [...new Set(points.map(({ tool }) => tool))].map((tool) => [
      from,
      titleOf(tool),
      points
        .filter((point) => point.tool === tool)
        .map((point) => `${point.rows}: ${point.failure ?? seconds(point.seconds)}`)
        .join(', '),
      slopes[tool]?.toFixed(2) ?? '–',
      (tool === 'hyperplane' && slopes.solver?.toFixed(2)) || '–',
    ]),
  )
  return table(['set', 'tool', 'samples: seconds', 'slope', 'slope of the solver'], rows)
}

function smallTable(small) {
  if (!small) return ''
  const { fitSyncMilliseconds: warm, coldStartSeconds: cold } = small
  return table(
    ['what', 'best', 'median', 'worst'],
    [
      ['`fitSync`, warm', ...[warm.best, warm.median, warm.worst].map((ms) => `${ms.toPrecision(3)} ms`)],
      ['`fitSync`, first call', `${warm.first.toPrecision(3)} ms`, '', ''],
      ['`hyperplane train`, whole command', `${seconds(cold.best)} s`, '', `${seconds(cold.worst)} s`],
    ],
  )
}

function goalTable(goals) {
  const words = (reached) => (reached === undefined ? 'not decided' : reached ? 'reached' : '**missed**')
  return table(
    ['goal', 'measured', ''],
    goals.map(({ goal, measured, reached }) => [goal, measured, words(reached)]),
  )
}

const sizeOf = ({ rows, cols }) => `${rows.toLocaleString('en-US')} x ${cols.toLocaleString('en-US')}`

const seconds = (value) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))

const times = (value) =>
  value === undefined ? '–' : `${value >= 100 ? value.toFixed(0) : value.toPrecision(2)}x`

function table(head, rows) {
  // A bar in a cell would end it.
  const escaped = [head, ...rows].map((row) => row.map((cell) => String(cell).replaceAll('|', '\\|')))
  const widths = head.map((_, c) => Math.max(3, ...escaped.map((row) => row[c].length)))
  const line = (cells) => `| ${cells.map((cell, c) => cell.padEnd(widths[c])).join(' | ')} |`
  const [first, ...others] = escaped
  const rule = line(widths.map((width) => '-'.repeat(width)))
  return `${[line(first), rule, ...others.map(line)].join('\n')}\n`
}
