/** The file the Lab's worker runs: takes jobs, lets them be cancelled, and hands their arrays over without copying. */
import { fitFile, openFile, reportFile } from '../files/own-file.ts'
import { predictFile } from '../files/predict-file.ts'
import { tuneFile } from '../files/tune-file.ts'
import { planeData } from '../plane/plane-data.ts'
import { makePreset } from '../plane/presets.ts'
import { errors } from './errors.ts'
import { exportModel } from './export.ts'
import type { AllJobs, Command, JobName, Report } from './jobs.ts'
import { kernelFieldOf } from './kernel-grid.ts'
import { lift } from './lift.ts'
import { race } from './race.ts'
import { record } from './record.ts'
import { train } from './train.ts'
import { tune } from './tune.ts'

/** What does a job; it should look at `signal` now and then. */
type Handler<N extends JobName> = (
  ask: AllJobs[N]['ask'],
  signal: AbortSignal,
  say: (news: AllJobs[N]['news']) => void,
) => Promise<AllJobs[N]['reply']>

const handlers: { [N in JobName]: Handler<N> } = {
  points: async (source) => planeData(makePreset(source)),
  train,
  kernel: async ({ data, index, kernel, grid }) => kernelFieldOf(kernel, data.xy, index, grid),
  errors,
  lift,
  record,
  race,
  tune,
  open: openFile,
  fit: fitFile,
  tuneFile,
  report: reportFile,
  predict: predictFile,
  export: exportModel,
}

const running = new Map<number, AbortController>()

addEventListener('message', ({ data }: MessageEvent<Command>) => {
  if (data.kind === 'cancel') running.get(data.id)?.abort()
  else void perform(data.id, data.job, data.ask)
})

async function perform(id: number, job: JobName, ask: unknown): Promise<void> {
  const controller = new AbortController()
  const { signal } = controller
  running.set(id, controller)
  try {
    const handler = handlers[job] as Handler<JobName>
    const reply = await handler(ask as never, signal, (news) => send({ id, kind: 'news', news }))
    send(signal.aborted ? { id, kind: 'cancelled' } : { id, kind: 'done', reply })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    send(signal.aborted ? { id, kind: 'cancelled' } : { id, kind: 'failed', message })
  } finally {
    running.delete(id)
  }
}

function send(report: Report): void {
  const transfer = new Set<Transferable>()
  collectBuffers(report, transfer)
  postMessage(report, { transfer: [...transfer] })
}

/** Every buffer in a report: it was made for it, so it can be given away. */
function collectBuffers(value: unknown, found: Set<Transferable>): void {
  if (typeof value !== 'object' || value === null) return
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer)
  } else {
    for (const inner of Object.values(value)) collectBuffers(inner, found)
  }
}
