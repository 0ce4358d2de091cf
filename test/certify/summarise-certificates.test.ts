import { expect, test } from 'vitest'
import type { Certificate } from '../../src/certify/certificate.ts'
import {
  CertificateList,
  MOST_CERTIFICATES,
  summariseCertificates,
} from '../../src/certify/summarise-certificates.ts'

const one: Certificate = {
  primal: 3,
  dual: -2,
  gap: 1,
  maxViolation: 0.5,
  supportVectors: 4,
  boundedSupportVectors: 1,
  stopReason: 'converged',
  iterations: 10,
  seconds: 0.25,
  solver: 'smo',
  tol: 1e-3,
}

test('one certificate is its own summary, none has none', () => {
  expect(summariseCertificates([one])).toBe(one)
  expect(summariseCertificates([])).toBeUndefined()
})

test('several: the worst reason and violation, sums of values, counts and times', () => {
  const other: Certificate = {
    ...{ primal: 5, dual: -4, gap: 1.5, maxViolation: 0.25, supportVectors: 2, boundedSupportVectors: 2 },
    ...{ stopReason: 'time-limit', iterations: 5, seconds: 1, solver: 'smo', tol: 1e-2, precision: 'f64' },
  }
  expect(summariseCertificates([one, other])).toEqual({
    ...{ primal: 8, dual: -6, gap: 2.5, maxViolation: 0.5, supportVectors: 6, boundedSupportVectors: 3 },
    ...{
      stopReason: 'time-limit',
      iterations: 15,
      seconds: 1.25,
      solver: 'smo',
      tol: 1e-2,
      precision: 'f64',
    },
  })
  expect(summariseCertificates([{ ...one, precision: 'f32' }, other])?.precision).toBe('f32')
  expect(summariseCertificates([one, one])).not.toHaveProperty('precision')
  expect(
    summariseCertificates([one, { ...other, solver: 'sdca', stopReason: 'unbounded' }, other]),
  ).toMatchObject({
    stopReason: 'unbounded',
    solver: 'smo, sdca',
  })
})

test('a list keeps each certificate of a thousand problems, and one for all of more', () => {
  const listOf = (count: number) => {
    const list = new CertificateList(count)
    for (let p = 0; p < count; p++) list.add({ ...one, gap: p % 7, maxViolation: p === 700 ? 3 : 0.5 })
    return list.list
  }
  expect(listOf(MOST_CERTIFICATES)).toHaveLength(MOST_CERTIFICATES)
  const [sum, ...more] = listOf(150_000)
  expect(more).toEqual([])
  expect(sum).toMatchObject({
    stopReason: 'converged',
    maxViolation: 3,
    iterations: 1_500_000,
    solver: 'smo',
  })
  expect(summariseCertificates(Array(200_000).fill(one))?.iterations).toBe(2_000_000)
})

test('one problem without a margin is told of in the summary', () => {
  expect(summariseCertificates([one, { ...one, noMargin: true }])?.noMargin).toBe(true)
  expect(summariseCertificates([one, one])).not.toHaveProperty('noMargin')
})
