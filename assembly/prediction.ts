/** What predicting needs and nothing else: the export list of the build that `hyperplane/predict` comes with. */
import { expandTask, uploadTask } from './tasks'
import * as at from './structures'

export { abandon } from './tasks'

/** Takes tasks of a job until there are none left: as in ./jobs.ts, except for the jobs of a prediction. */
export function work(job: usize, scratch: usize): void {
  const kind = load<u32>(job, at.JOB_KIND)
  const tasks = load<u32>(job, at.JOB_TASKS)
  for (;;) {
    const task = atomic.add<u32>(job, 1, at.JOB_NEXT)
    if (task >= tasks) return
    if (kind == at.KIND_EXPAND) expandTask<f32>(job, scratch, task)
    else if (kind == at.KIND_EXACT) expandTask<f64>(job, scratch, task)
    else uploadTask(job, kind, task)
  }
}
