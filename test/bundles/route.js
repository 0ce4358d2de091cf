// A route of a Next.js server that trains: see ./bundles.test.ts.
import { generate, rbf, SVC, tune } from 'hyperplane'

export const dynamic = 'force-dynamic'

export async function GET() {
  const data = generate('moons', { n: 200, noise: 0.2, seed: 1 })
  const estimator = new SVC({ kernel: rbf(), tol: 1e-6 })
  const model = await estimator.fit(data)
  const { bestParams } = await tune(estimator, data, { grid: { C: [1, 1000] }, folds: 3, seed: 1 })
  return Response.json({ bias: model.bias.toFixed(5), bestParams })
}
