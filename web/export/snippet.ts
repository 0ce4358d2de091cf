/** TypeScript that makes the same model with the library. */
import type { KernelSpec } from '../../src/index.ts'
import { chosenFeatures } from '../data/chosen-features.ts'
import { presetCall, presets } from '../plane/presets.ts'
import type { LabState, Point, PresetName, Settings } from '../state/lab-state.ts'
import type { FileSummary } from '../worker/messages.ts'

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
export function fileSnippet(
  summary: FileSummary,
  { settings, file }: Pick<LabState, 'settings' | 'file'>,
): string {
  const { name, features, isNamed, columns, labelColumn } = summary
  const chosen = chosenFeatures(summary, file.leftOut)
  const label = labelColumn && columns.indexOf(labelColumn)
  const place = typeof label === 'number' && label >= 0 ? `, labelColumn: ${label}` : ''
  const imports = ['readDataset']
  const data = [`const file = await readDataset(${JSON.stringify(name)}, { columns: 'number'${place} })`]
  let whole = 'file'
  if (chosen.length < features.length) {
    imports.push('selectFeatures')
    if (!isNamed) {
      data.push(`const named = { ...file, featureNames: ${JSON.stringify(features)} }`)
      whole = 'named'
    }
    const used = JSON.stringify(chosen.map((j) => features[j]))
    data.push(`const chosen = selectFeatures(${whole}, ${used})`)
    whole = 'chosen'
  }
  if (file.holdOut > 0) {
    imports.push('trainTestSplit')
    const split = object({
      testFraction: file.holdOut,
      seed: 0,
      ...(settings.problem === 'svr' && { stratify: false }),
    })
    data.push(`const { train: data, test } = trainTestSplit(${whole}, ${split})`)
  } else data.push(`const data = ${whole}`)
  const own = [
    ...(file.scaler === 'none' ? [] : [`scaler: '${file.scaler}'`]),
    ...(file.balanced && settings.problem === 'svc' ? ["classWeight: 'balanced'"] : []),
  ]
  return lines(imports, settings, data, "'hyperplane/node'", own)
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
