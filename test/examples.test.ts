/** Every example runs against the built package, as a user would run it, and prints what it is meant to show. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const repository = fileURLToPath(new URL('..', import.meta.url))
const examples = readdirSync(join(repository, 'examples')).filter((name) => name.endsWith('.js'))

function node(...args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, args, { cwd: repository, encoding: 'utf8' })
}

function output(example: string): string {
  const { status, stdout, stderr } = node(join('examples', example))
  expect(stderr).toBe('')
  expect(status).toBe(0)
  return stdout
}

/** What must be printed, by example. */
const shown: Readonly<Record<string, readonly RegExp[]>> = {
  '01-first-classifier.js': [
    /^converged: \d+ of 300 samples are support vectors$/m,
    /^held-out accuracy: 0\.9/m,
    /^labels of two new points: -1, 1$/m,
  ],
  '02-certificate.js': [
    /^1e-6 +175\.57344\d +175\.57343\d .* converged$/m,
    /^after 50 iterations: iteration-limit, at most \d+% above the optimum$/m,
    /^zero +\d+ +1\.0\d* … /m,
    /^free +\d+ +(0\.9999|1\.0000) … 1\.0000$/m,
    /^bound +\d+ +-\d\.\d+ … (0\.9|1\.0000)/m,
    /^samples by position: \{ outside: \d+, 'on-margin': \d+, inside: \d+, misclassified: \d+ \}$/m,
    /^½‖w‖² \+ C Σ slack = 175\.5734\d+ = primal 175\.5734\d+$/m,
    /^margin: 0\.\d+ wide in feature space$/m,
  ],
  '03-compare-solvers.js': [
    /^smo-mvp +free +73\.48\d+ +73\.48494 /m,
    /^smo +free +73\.48\d+ +73\.48494 .* converged$/m,
    /^working-set +free +73\.48\d+ +73\.48494 .* converged$/m,
    /^sdca +regularised +73\.56\d+ +73\.56\d+ .* converged$/m,
    /^subgradient +regularised +73\.[567]/m,
    /^pegasos +regularised +73\.[567]/m,
  ],
  '04-watch-smo-steps.js': [
    /^step 1: pair \(3, 0\), eta 8\.000, segment \[0\.000, 1\.000\]: alpha_0 0\.0000 -> 0\.2500, alpha_3 = 0\.2500$/m,
    /clipped to 0\.0000/,
    /^6 +0\.80000 +-0\.80000/m,
    /^converged; w = \[0\.4000,1\.2000\]$/m,
  ],
  '05-kernels.js': [
    /gamma 0\.00608431691321\d*\n +sigma 0\.00608431691321\d*\n +tau +0\.00608431691321/,
    /^polynomial 9 = 9$/m,
    /^ +exp\(linear\) +0 wrong, converged; no objection/m,
    /^ +tanh\(<x, z> \+ 1\) .* not a kernel: .* negative eigenvalue/m,
    /^ +1 - \|x - z\|² .* not a kernel: .* negative eigenvalue/m,
  ],
  '06-strings.js': [
    /^no objection: its Gram matrix on these 10 samples/m,
    /^not a kernel: its Gram matrix on these 31 samples has the negative eigenvalue -0\.04292$/m,
    /^converged \[ 'British', 'American', 'British', 'American' \]$/m,
    /^loaded again: \[ 'British', 'American' \]$/m,
  ],
  '07-libsvm-files.js': [
    /^read 300 samples with 2 features, stored sparse$/m,
    /^svm_type c_svc\nkernel_type polynomial\ndegree 4\ngamma 1\ncoef0 1\nnr_class 2$/m,
    /saving and loading: none to speak of$/m,
  ],
  '08-scaling-and-saving.js': [
    /^scaler undefined accuracy 0\.[5-8]/m,
    /^scaler range +accuracy 0\.9/m,
    /^scaler standard +accuracy 0\.9/m,
  ],
  '09-progress-and-cancel.js': [
    /^0\.\d s: \d+ iterations, violation \d/m,
    /^stopped: aborted, violation \S+, requested 1e-9$/m,
    /^the optimum is between \d\S* and \d\S*/m,
    /^this thread stayed free: true$/m,
    /^the model works: 12000 predictions$/m,
  ],
  '10-hard-margin.js': [
    /^linear kernel: (?!converged)\S+, primal Infinity$/m,
    /: converged, alpha = \[1\.000000,2\.000000,1\.000000\], b = -1\.000000$/m,
    /^primal 2\.000000, dual -2\.000000, margin 0\.500000$/m,
    /^f\(-1\), f\(0\), f\(1\) = 1\.000000, -1\.000000, 1\.000000$/m,
  ],
  '11-cross-validation.js': [
    /^accuracy +0\.9\d\d ± 0\.0\d\d$/m,
    /^f1 +0\.9\d\d ± 0\.0\d\d$/m,
    /^leave-one-out: accuracy 0\.9\d\d with \d\d fits for 300 samples$/m,
    /^rbf − linear: 0\.0\d\d, p = 0\.0\d+$/m,
  ],
  '12-path-and-learning-curve.js': [
    /^0\.01 +0\.8\d\d +0\.8\d\d +\d+\.\d$/m,
    /^best C: \d+$/m,
    /^320 samples: 0\.9\d\d held out, 0\.9\d\d trained on$/m,
    /^figures: <svg <svg$/m,
  ],
  '13-tuning.js': [
    /^90 cells; chosen C \S+, gamma \S+: 0\.[89]\d\d$/m,
    /^held-out accuracy: 0\.9\d\d$/m,
    /^probability of \+1 at the origin: 0\.\d\d$/m,
    /^heat map: drawn$/m,
  ],
  '14-regression.js': [
    /^converged: gap 0\.0/m,
    /^52 of 200 samples are outside the tube or on its edge$/m,
    /^held-out mean squared error: 0\.01/m,
    /^noise: Laplace, sigma 0\.07\d$/m,
    // At most 60, which is ν · n.
    /^nu 0\.3: a tube of half-width 0\.08\d, 5\d of 200 samples outside$/m,
  ],
  '15-one-class.js': [
    /^converged: 2\d of 400 samples are support vectors$/m,
    /^99 of 100 strange samples found, \d of 100 normal ones called strange$/m,
    /^area under the ROC curve: 0\.99/m,
  ],
  '16-many-classes.js': [
    /^classes 1, 2, 3, 4: 6 pairs, 6 certificates$/m,
    /^held-out accuracy: 0\.[89]/m,
    /^the first sample: class \d, probabilities( 0\.\d{3}){4}$/m,
    /^\d+ samples are over 90% certain; \d+ of them are right$/m,
    /^without feature 2: \d+\.\d points less$/m,
  ],
  '18-streams-and-warm-starts.js': [
    /^\d+ samples in \d+ batches, classes 1, 2, 3$/m,
    /^bound [\d.]+ <= optimum [\d.]+: true$/m,
    /^held-out accuracy: 0\.\d+ from the stream, 0\.\d+ from all samples at a time$/m,
    /^steps to the optimum of another C: \d+ from 0, \d+ from a model$/m,
    /^the same optimum: true$/m,
  ],
  '19-your-csv.js': [
    /^age: number, 1 missing filled with median 35$/m,
    /^city: category, 3 values, unseen ones: ignore, 1 missing filled with most frequent Oslo$/m,
    /^since: date as days since 1970$/m,
    /^review: text, tf-idf of 23 words$/m,
    /^id: ignored, an id: 6 different whole numbers$/m,
    /^\[ 'yes' \]$/m,
    /^accuracy 0\.\d\d on rows that the models had not seen$/m,
  ],
  '20-text.js': [
    /^f1 (1\.00|0\.9\d) on messages that the models had not seen$/m,
    /^10 of 10 held-out messages are right$/m,
    /^\[ 'complaint', 'praise' \]$/m,
    /^for a complaint: .*message "late"/m,
    /^for praise: .*message "fast"/m,
    /^loaded again: complaint$/m,
  ],
  '21-embeddings.js': [/^accuracy 0\.9\d of three topics$/m, /^chosen C: (1|10)$/m],
  '22-imbalanced.js': [
    /^threshold 0: precision 0\.4\d, recall 0\.8\d/m,
    /^a missed one costs 20: .* recall 0\.[89]\d/m,
    /^from folds, trained on all: precision 0\.5\d/m,
    /^ROC curve: <svg$/m,
  ],
  '23-time-series.js': [
    /^mean absolute error, shuffled folds: 1\.\d\d, too good to be true$/m,
    /^mean absolute error, folds in time: 2\.\d\d$/m,
    /^the future: error 1\.5\d; the last value as forecast: 1\.99$/m,
  ],
  '24-serving.js': [
    /^200 \{"labels":\["yes"\],"decisions":\[1\.0/m,
    /^200 \{"labels":\["no","no"\]/m,
    /^400 .*row 1, column \\"age\\" must be a number, got \\"old\\"/m,
    /^400 .*no column is named \\"age\\", only \\"plan\\"/m,
    /^400 .*rows must be an array of rows/m,
  ],
  '25-from-scikit-learn.js': [
    /^\d\d of 40 right$/m,
    /^decision values of scikit-learn: equal to 1e-6$|^scikit-learn is not installed/m,
  ],
  '17-libsvm-commands.js': [
    /^Cross Validation Accuracy = 96\.5%$/m,
    /^nSV = 38, nBSV = 30\nTotal nSV = 38$/m,
    /^Accuracy = 97% \(97\/100\) \(classification\)$/m,
    /^labels 1 -1$/m,
  ],
}

describe('examples', () => {
  it.each(examples)('%s', (example) => {
    const text = output(example)
    const expected = shown[example]
    expect(expected, 'the test must know what to look for').toBeDefined()
    for (const pattern of expected) expect(text).toMatch(pattern)
  })

  it('have the right types', () => {
    const settings = ['--allowJs', '--checkJs', '--strict', '--noEmit', '--skipLibCheck', '--ignoreConfig']
    const target = ['--target', 'es2022', '--module', 'nodenext', '--types', 'node']
    const files = examples.map((name) => join('examples', name))
    const { status, stdout } = node('node_modules/typescript/bin/tsc', ...settings, ...target, ...files)
    expect(stdout).toBe('')
    expect(status).toBe(0)
  })

  it('are numbered without a gap', () => {
    expect(examples.map((name) => Number(name.slice(0, 2)))).toEqual(examples.map((_, k) => k + 1))
  })
})
