/** The short form of the campaign against certificates; see ./certificates.ts. */
import { expect, test } from 'vitest'
import { tortureCertificates } from './certificates.ts'

test('no certificate is false: all types and kernels, hostile data, and the bugs of old', {
  timeout: 300_000,
}, async () => {
  const findings: string[] = []
  const counts = await tortureCertificates({
    seed: 20,
    count: 80,
    maxRows: 1500,
    // Some have no end within reason: what they have reached is certified all the same.
    timeLimit: 0.5,
    onFinding: ({ what, again }) => findings.push(`${what} (${again})`),
  })
  expect(findings).toEqual([])
  expect(counts.certificates).toBeGreaterThanOrEqual(100)
  expect(Object.keys(counts.by.type)).toHaveLength(12)
  expect(Object.keys(counts.by.kernel)).toHaveLength(4)
  expect(Object.keys(counts.by.family)).toHaveLength(12)
  // The loops are a judge only where they are better than what they judge: not of the narrowest bars of f64 sums.
  expect(counts.beyondReference).toBeLessThan(0.1 * counts.certificates)
})
