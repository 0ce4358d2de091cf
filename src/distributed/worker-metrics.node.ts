/** What a worker says over HTTP: /metrics in the text format of Prometheus, /health for who restarts what does not answer. */
import { createServer, type Server } from 'node:http'
import type { WorkerCounts } from './queue-worker.node.ts'

/** Each number of a worker: its name in Prometheus, its type and what it is. */
const METRICS: readonly (readonly [
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  of: keyof WorkerCounts,
])[] = [
  ['jobs_done_total', 'counter', 'Jobs that were completed.', 'done'],
  ['jobs_failed_total', 'counter', 'Attempts at jobs that failed.', 'failed'],
  ['jobs_refused_total', 'counter', 'Jobs that were left to other workers.', 'refused'],
  [
    'jobs_handed_back_total',
    'counter',
    'Jobs that were given back when the worker was stopped.',
    'handedBack',
  ],
  ['jobs_running', 'gauge', 'Jobs that are running.', 'running'],
  ['job_seconds_total', 'counter', 'Total duration of completed jobs in seconds.', 'seconds'],
  ['result_bytes_total', 'counter', 'Bytes of results.', 'resultBytes'],
  ['data_read_bytes_total', 'counter', 'Bytes of data files whose hash was checked.', 'bytesRead'],
  ['data_fetched_bytes_total', 'counter', 'Bytes of data fetched from servers.', 'bytesFetched'],
  ['cache_hits_total', 'counter', 'Files that were found in the cache.', 'cacheHits'],
]

/** The numbers in the text format of Prometheus. */
function metricsText(counts: WorkerCounts): string {
  return METRICS.map(
    ([name, type, help, of]) =>
      `# HELP hyperplane_${name} ${help}\n# TYPE hyperplane_${name} ${type}\nhyperplane_${name} ${counts[of]}\n`,
  ).join('')
}

/** Answers on a port until it is closed. */
export async function serveMetrics(port: number, counts: () => WorkerCounts): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url === '/metrics') {
      response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8')
      response.end(metricsText(counts()))
    } else if (request.url === '/health') {
      response.setHeader('content-type', 'application/json')
      response.end(`${JSON.stringify({ ok: true, ...counts() })}\n`)
    } else {
      response.statusCode = 404
      response.end('/metrics or /health\n')
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, resolve)
  })
  return server
}
