// Makes the API reference, docs/api/, from the declarations in dist/: one page for each entry of the package.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Application, Comment } from 'typedoc'

/** What a user imports, in the order to meet it, and what it holds. */
const entries = {
  hyperplane:
    'What training, choosing and using a model needs. In Node, `hyperplane` and `hyperplane/node` are the same; in browsers there are no functions that read or write files.',
  'hyperplane/kernels':
    'Kernels: the built-in ones, combinators, functions of your own, and a test whether a function is a kernel.',
  'hyperplane/metrics': 'Scores of classes, rankings, probabilities and regression.',
  'hyperplane/selection':
    'Model selection: splits, scores, cross-validation, searches, and the executors they run on.',
  'hyperplane/solvers': 'The optimisation problems, the methods that solve them, certificates and diagnosis.',
  'hyperplane/calibration': 'Probabilities and intervals from decision values.',
  'hyperplane/formats': 'Data sets, scalers and models as text or bytes.',
  'hyperplane/shards': 'Data sets of any size in blocks, and training on them. In Node.',
  'hyperplane/plots': 'Figures as SVG, and pages of them as HTML.',
  'hyperplane/predict': 'Prediction alone: models and their formats, without solvers.',
  'hyperplane/predict-plain': 'Prediction alone, in plain code: models in JSON, without the engine.',
  'hyperplane/tables': 'Tables with columns of any kind, and their preparation for a model.',
  'hyperplane/distributed': 'Searches and training over a queue on BullMQ. In Node.',
}

/** Writes the pages; the declarations must have been built. `root` is the folder of the package, with a slash. */
export async function writeReference(root) {
  const { exports: exported } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  const files = Object.keys(entries).map((name) => {
    const { node, types } = exported[name.replace('hyperplane', '.')]
    return `${root}${(node?.types ?? types).slice(2)}`
  })
  const folder = `${root}docs/api`
  const tsconfig = `${root}.hyperplane/reference.json`
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2022', lib: ['es2023', 'dom'], strict: true, skipLibCheck: true },
    ...{ types: ['node'], typeRoots: [`${root}node_modules/@types`] },
  }
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions, files }))
  rmSync(folder, { recursive: true, force: true })
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    ...{ tsconfig, entryPoints: files, name: 'API reference', readme: 'none', logLevel: 'Warn' },
    // The compiler has checked them, and what they inherit from others is documented there.
    ...{ skipErrorChecking: true, disableSources: true, excludeExternals: true, sortEntryPoints: false },
    ...{ excludePrivate: true, excludeProtected: true, excludeInternal: true },
    ...{ outputs: [{ name: 'markdown', path: folder }], router: 'module', entryFileName: 'README' },
    ...{ hidePageHeader: true, hideBreadcrumbs: true, pageTitleTemplates: { module: ({ name }) => name } },
    ...{ parametersFormat: 'table', interfacePropertiesFormat: 'table', classPropertiesFormat: 'table' },
    ...{ typeAliasPropertiesFormat: 'table', typeDeclarationFormat: 'table', disableGit: true },
    tableColumnSettings: {
      ...{ hideDefaults: true, hideInherited: true, hideModifiers: true, hideOverrides: true },
    },
  })
  const project = await app.convert()
  if (!project) throw new Error('TypeDoc made no reference')
  for (const [i, [name, text]] of Object.entries(entries).entries()) {
    const page = project.children[i]
    page.name = name
    page.comment = new Comment([{ kind: 'text', text }])
  }
  await app.generateOutputs(project)
  if (app.logger.hasErrors()) throw new Error('TypeDoc found errors')
}
