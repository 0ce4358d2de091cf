// A model behind HTTP: loaded once, checked input, one row or many, and answers for rows with holes and unknown categories.
//   node examples/24-serving.js
import { createServer } from 'node:http'
import { HyperplaneError, parseModel, Random, SVC } from 'hyperplane'

// What a training job would write to a file and the server read with readModel('churn.json').
const random = new Random(1)
const customers = Array.from({ length: 300 }, () => {
  const age = 20 + random.int(50)
  const plan = ['free', 'basic', 'pro'][random.int(3)]
  return { age, plan, left: age + (plan === 'free' ? -15 : 5) + 8 * random.normal() < 35 ? 'yes' : 'no' }
})
const file = JSON.stringify(await new SVC({ scaler: 'standard' }).fit(customers, 'left'))

const model = parseModel(file)

/**
 * What a request gets: labels and decision values, or what is wrong with it. The same function serves Fastify, Next.js and others.
 * @param {string} body
 */
function answer(body) {
  try {
    const { rows } = JSON.parse(body)
    return { status: 200, labels: model.predict(rows), decisions: Array.from(model.decisionFunction(rows)) }
  } catch (error) {
    // The errors of the library say which row and which column; anything else is no business of the client.
    const isClear = error instanceof HyperplaneError || error instanceof SyntaxError
    return { status: 400, error: isClear ? error.message : 'rows must be a list of records' }
  }
}

const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  const { status, ...result } = answer(body)
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(result))
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())

/** @param {unknown} rows */
async function ask(rows) {
  const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: JSON.stringify({ rows }) })
  console.log(response.status, JSON.stringify(await response.json()).slice(0, 90))
}
// Columns in another order, one that the model does not know, an unseen plan, a missing age.
await ask([{ plan: 'free', age: 22, country: 'NO' }])
await ask([
  { age: 60, plan: 'pro' },
  { age: null, plan: 'trial' },
])
await ask([{ age: 'old', plan: 'pro' }])
await ask([{ plan: 'pro' }])
await ask('nonsense')
server.close()
