/** What `svm-predict` and `liblinear-predict` have in common: their words, and the scores that they print at the end. */
import { checkFiles } from '../options/command-files.ts'
import { countRight, percentG, regressionScores } from './c-format.ts'
import { switchFlag, takeFlags, UsageError } from './letter-flags.ts'
import { printOut } from './print-out.ts'

/** What was requested. */
export interface PredictRequest {
  readonly dataPath: string
  readonly modelPath: string
  readonly outputPath: string
  /** Whether probabilities are to be predicted, too: `-b 1`. */
  readonly wantsProbabilities: boolean
  /** Prints, unless `-q` forbids it. */
  readonly say: (text: string) => void
}

/** Reads `[-b 0|1] [-q] test_file model_file output_file`, and checks the files. */
export async function predictRequest(command: string, words: readonly string[]): Promise<PredictRequest> {
  const flags = takeFlags(words, { letters: 'b', bare: 'q' })
  const [dataPath, modelPath, outputPath, ...more] = flags.files
  if (outputPath === undefined || more.length > 0) throw new UsageError('')
  const wantsProbabilities = switchFlag(flags, 'b', 0)
  if (wantsProbabilities === undefined) {
    throw new UsageError(`option -b takes 0 or 1, got ${flags.values.get('b')}`)
  }
  const say = (text: string): void => {
    if (!flags.values.has('q')) printOut(text)
  }
  await checkFiles({ test_file: dataPath, model_file: modelPath }, { output_file: outputPath }, command)
  return { dataPath, modelPath, outputPath, wantsProbabilities, say }
}

/** The lines that say how good predictions are; `remark` follows the accuracy of classes. */
export function predictionScores(
  isRegression: boolean,
  labels: Float64Array,
  predicted: Float64Array,
  remark = '',
): string {
  if (isRegression) {
    const [error, correlation] = regressionScores(labels, predicted)
    return (
      `Mean squared error = ${error} (regression)\n` +
      `Squared correlation coefficient = ${correlation} (regression)\n`
    )
  }
  const right = countRight(labels, predicted)
  return `Accuracy = ${percentG((100 * right) / labels.length)}% (${right}/${labels.length})${remark}\n`
}
