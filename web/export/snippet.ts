/** TypeScript that makes the same model with the library. */
import type { KernelSpec } from '../../src/index.ts'
import type { FileChoices, FilePeek, TableChoices } from '../files/file-messages.ts'
import { presetCall, presets } from '../plane/presets.ts'
import type { LabState, Point, PresetName, Settings } from '../state/lab-state.ts'

/** For the points of the plane. */
export function planeSnippet({ source, settings }: LabState, points: readonly Point[]): string {
  const isCurve = settings.problem === 'svr'
  const found = source.kind === 'preset' ? presetCall(source) : undefined
  // Curves are made of one feature and a target, clouds of two features: each suits its own problem only.
  const call =
    found && presets[found.name as PresetName].regression === (isCurve || undefined) ? found : undefined
  const data = call
    ? [`const data = generate('${call.name}', ${object(call.options)})`]
    : [
        'const data = makeDataset(',
        `  [${points.map(({ x, y }) => (isCurve ? `[${x}]` : `[${x}, ${y}]`)).join(', ')}],`,
        `  [${points.map(({ y, c }) => (isCurve ? y : c)).join(', ')}],`,
        ')',
      ]
  return lines([call ? 'generate' : 'makeDataset'], settings, data, "'hyperplane'")
}

/** For a file. */
export function fileSnippet(name: string, { settings, file, choices, peek }: FileChoices): string {
  const { imports, others, code } = readingCode(name, choices, peek)
  const data = [...code]
  if (file.holdOut > 0) {
    imports.push('trainTestSplit')
    const split = object({
      testFraction: file.holdOut,
      seed: 0,
      ...(settings.problem === 'svr' && { stratify: false }),
    })
    data.push(`const { train: data, test } = trainTestSplit(file, ${split})`)
  } else data.push('const data = file')
  const own = [
    ...(file.scaler === 'none' ? [] : [`scaler: '${file.scaler}'`]),
    ...(file.balanced && settings.problem === 'svc' ? ["classWeight: 'balanced'"] : []),
  ]
  const made = lines(imports, settings, data, "'hyperplane/node'", own)
  return others.length > 0 ? `${others.join('\n')}\n${made}` : made
}

/** The code that reads a file as it was read. */
function readingCode(
  name: string,
  choices: TableChoices,
  { format, columns: found, label: place }: FilePeek,
): { readonly imports: string[]; readonly others: readonly string[]; readonly code: readonly string[] } {
  const path = JSON.stringify(name)
  if (format === 'libsvm') {
    return { imports: ['readDataset'], others: [], code: [`const file = await readDataset(${path})`] }
  }
  const { label, columns = {}, missing, ...text } = choices
  const kinds = Object.fromEntries(
    Object.entries(columns).map(([column, pick]) => [
      column,
      pick === 'dmy' || pick === 'mdy' ? { kind: 'date', dateFormat: pick } : pick,
    ]),
  )
  const settings = {
    ...(Object.keys(kinds).length > 0 && { columns: kinds }),
    ...(missing && { fill: missing }),
  }
  if (format === 'json') {
    const isLines = /\.(ndjson|jsonl)$/i.test(name)
    const content = `readFileSync(${path}, 'utf8')`
    const rows = isLines
      ? `${content}.trim().split('\\n').map((line) => JSON.parse(line))`
      : `JSON.parse(${content})`
    const options = JSON.stringify({ label: found[place ?? 0]?.name, ...settings })
    return {
      imports: [],
      others: [importLine(['readFileSync'], "'node:fs'"), importLine(['makeTable'], "'hyperplane/tables'")],
      code: [`const file = makeTable(${rows}, ${options})`],
    }
  }
  const options = { ...text, ...(label !== undefined && { labelColumn: label }), ...settings }
  const more = Object.keys(options).length > 0 ? `, ${JSON.stringify(options)}` : ''
  return {
    imports: ['readDataset'],
    others: [],
    code: [`const file = await readDataset(${path}${more})`],
  }
}

function lines(
  imports: readonly string[],
  settings: Settings,
  data: readonly string[],
  from: string,
  further: readonly string[] = [],
): string {
  const { kernel, tol, seed } = settings
  const [estimator, own] = estimatorOf(settings)
  const kernels = kernelNames(kernel)
  const combinators = kernels.filter(isCombinator)
  const names = [...imports, ...kernels.filter((name) => !isCombinator(name)), estimator]
  const options = [
    `kernel: ${kernelCode(kernel)}`,
    ...own,
    `tol: ${tol}`,
    ...(seed === 0 ? [] : [`seed: ${seed}`]),
    ...further,
  ]
  return [
    importLine(names, from),
    ...(combinators.length > 0 ? [importLine(combinators, "'hyperplane/kernels'")] : []),
    '',
    ...data,
    `const model = await new ${estimator}({ ${options.join(', ')} }).fit(data)`,
    '',
    'console.log(model.certificate)',
    '',
  ].join('\n')
}

/** The estimator of a problem, and the options that are its own. */
function estimatorOf({ problem, C, nu, epsilon, solver }: Settings): [name: string, options: string[]] {
  switch (problem) {
    case 'nu-svc':
      return ['NuSVC', [`nu: ${nu}`]]
    case 'one-class':
      return ['OneClassSVM', [`nu: ${nu}`]]
    case 'svr':
      return ['SVR', [`C: ${C}`, `epsilon: ${epsilon}`]]
    default:
      return ['SVC', [`C: ${C}`, `solver: '${solver}'`]]
  }
}

function importLine(names: readonly string[], from: string): string {
  const sorted = [...new Set(names)].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
  return `import { ${sorted.join(', ')} } from ${from}`
}

/** Whether a kernel is made of others. */
function isCombinator(name: string): boolean {
  return ['sum', 'product', 'scale', 'shift', 'exp'].includes(name)
}

function kernelNames(spec: KernelSpec): string[] {
  if (!('of' in spec)) return [spec.kind]
  const inner = Array.isArray(spec.of) ? spec.of : [spec.of]
  return [spec.kind, ...inner.flatMap((part) => kernelNames(part as KernelSpec))]
}

/** The call that makes a kernel. */
export function kernelCode(spec: KernelSpec): string {
  switch (spec.kind) {
    case 'sum':
    case 'product':
      return `${spec.kind}(${spec.of.map(kernelCode).join(', ')})`
    case 'scale':
      return `scale(${kernelCode(spec.of)}, ${spec.factor})`
    case 'shift':
      return `shift(${kernelCode(spec.of)}, ${spec.offset})`
    case 'exp':
      return `exp(${kernelCode(spec.of)})`
    default: {
      const { kind, ...options } = spec
      return Object.keys(options).length > 0 ? `${kind}(${object(options)})` : `${kind}()`
    }
  }
}

function object(options: object): string {
  const pairs = Object.entries(options).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? `'${value}'` : value}`,
  )
  return `{ ${pairs.join(', ')} }`
}
