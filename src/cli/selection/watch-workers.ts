/** What is said while a command waits for workers of a queue. */
import type { CoordinatorState } from '../../distributed/coordinator.ts'
import { notice } from '../report/output.ts'

/** Says when nobody is there to work, and what is refused. */
export function watchWorkers(address: string): (state: CoordinatorState) => void {
  const said = new Set<string>()
  const say = (line: string): void => {
    if (!said.has(line)) notice(line)
    said.add(line)
  }
  return ({ workers }) => {
    if (workers.length === 0)
      say(`no workers: start some with hyperplane worker --queue ${address} --data FOLDER`)
    for (const { id, refuses } of workers)
      for (const reason of Object.values(refuses)) say(`worker ${id} refuses: ${reason}`)
  }
}
