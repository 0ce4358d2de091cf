// Latency of a model with 5,000 support vectors behind node:http: the server is its own process, one client requests one row
// after the other over a kept connection, then several at a time.
//   node bench/serving.js [--vectors 5000] [--features 20] [--requests 5000]
import { fork } from 'node:child_process'
import { Agent, createServer, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { generate, parseModel, Random, rbf, SVC } from 'hyperplane'

/** The first requests compile code, in the server and here. */
const WARM_UP = 500

if (process.send) serve()
else await measure()

function serve() {
  process.once('message', (text) => {
    const model = parseModel(text)
    const server = createServer(async (asked, response) => {
      let body = ''
      for await (const chunk of asked.setEncoding('utf8')) body += chunk
      const { row } = JSON.parse(body)
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ label: model.predict([row])[0] }))
    })
    server.listen(0, '127.0.0.1', () => process.send(server.address().port))
  })
}

async function measure() {
  const { values } = parseArgs({
    options: {
      vectors: { type: 'string', default: '5000' },
      features: { type: 'string', default: '20' },
      requests: { type: 'string', default: '5000' },
    },
  })
  const [vectors, features, requests] = [values.vectors, values.features, values.requests].map(Number)
  // With so small a C every sample is a support vector.
  const data = generate('blobs', { n: vectors, features, seed: 1 })
  const model = await new SVC({ C: 1e-4, kernel: rbf({ gamma: 1 / features }) }).fit(data)
  console.log(`${model.supportCount} support vectors of ${features} features`)

  const child = fork(fileURLToPath(import.meta.url), { execArgv: [] })
  child.send(JSON.stringify(model))
  const port = await new Promise((resolve) => child.once('message', resolve))
  const random = new Random(2)
  const agent = new Agent({ keepAlive: true })
  const ask = () =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify({ row: Array.from({ length: features }, () => random.normal()) })
      const start = performance.now()
      const sent = request({ port, host: '127.0.0.1', method: 'POST', agent }, (response) => {
        response.resume().on('end', () => resolve(performance.now() - start))
      })
      sent.on('error', reject).end(body)
    })
  try {
    for (let k = 0; k < WARM_UP; k++) await ask()
    for (const clients of [1, 8]) {
      const times = []
      const client = async () => {
        while (times.length < requests) times.push(await ask())
      }
      const start = performance.now()
      await Promise.all(Array.from({ length: clients }, client))
      const rate = (1000 * times.length) / (performance.now() - start)
      times.sort((a, b) => a - b)
      const at = (share) => times[Math.floor(share * (times.length - 1))].toFixed(2)
      console.log(
        `${clients} at a time: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, p99.9 ${at(0.999)} ms, ${rate.toFixed(0)} a second`,
      )
    }
  } finally {
    agent.destroy()
    child.kill()
  }
}
