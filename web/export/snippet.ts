/** TypeScript that makes the same model with the library. */
import type { KernelSpec } from '../../src/index.ts'
import { presetCall } from '../plane/presets.ts'
import type { LabState, Point, Settings } from '../state/lab-state.ts'
import type { FileSummary } from '../worker/messages.ts'

/** For the points of the plane. */
export function planeSnippet({ source, settings }: LabState, points: readonly Point[]): string {
  const call = source.kind === 'preset' ? presetCall(source) : undefined
  const data = call
    ? [`const data = generate('${call.name}', ${object(call.options)})`]
    : [
        'const data = makeDataset(',
        `  [${points.map(({ x, y }) => `[${x}, ${y}]`).join(', ')}],`,
        `  [${points.map(({ c }) => c).join(', ')}],`,
        ')',
      ]
  return lines([call ? 'generate' : 'makeDataset'], settings, data, "'hyperplane'")
}

/** For a file. */
export function fileSnippet(
  summary: FileSummary,
  { settings, file }: LabState,
  leftOut: ReadonlySet<number>,
): string {
  const { name, features, columns, labelColumn } = summary
  const isNamed = columns.length > 0 && !columns[0].startsWith('column ')
  const label = labelColumn && columns.indexOf(labelColumn)
  const options = typeof label === 'number' && label >= 0 ? `, { labelColumn: ${label} }` : ''
  const imports = ['readDataset']
  const data = [`const file = await readDataset(${JSON.stringify(name)}${options})`]
  let whole = 'file'
  if (leftOut.size > 0 && isNamed) {
    imports.push('selectFeatures')
    const used = features.filter((_, j) => !leftOut.has(j))
    data.push(`const chosen = selectFeatures(file, ${JSON.stringify(used)})`)
    whole = 'chosen'
  }
  if (file.holdOut > 0) {
    imports.push('trainTestSplit')
    data.push(
      `const { train: data, test } = trainTestSplit(${whole}, { testFraction: ${file.holdOut}, seed: 0 })`,
    )
  } else data.push(`const data = ${whole}`)
  return lines(imports, settings, data, "'hyperplane/node'", file.scaler === 'none' ? undefined : file.scaler)
}

function lines(
  imports: readonly string[],
  { C, kernel, solver, tol }: Settings,
  data: readonly string[],
  from: string,
  scaler?: string,
): string {
  const names = [...new Set([...imports, ...kernelNames(kernel), 'SVC'])].sort((a, b) =>
    a.toLowerCase() < b.toLowerCase() ? -1 : 1,
  )
  const options = [
    `kernel: ${kernelCode(kernel)}`,
    `C: ${C}`,
    `solver: '${solver}'`,
    `tol: ${tol}`,
    ...(scaler ? [`scaler: '${scaler}'`] : []),
  ]
  return [
    `import { ${names.join(', ')} } from ${from}`,
    '',
    ...data,
    `const model = await new SVC({ ${options.join(', ')} }).fit(data)`,
    '',
    'console.log(model.certificate)',
    '',
  ].join('\n')
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
