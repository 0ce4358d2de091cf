/** A queue behind TLS, with a user and a password, and with a certificate that only the environment knows. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cliInFolder, resultOf, startCli } from '../cli/run-cli.ts'
import { type Certificate, selfSigned, TestRedis, withoutRedis } from './redis-server.ts'

let redis: TestRedis
let certificate: Certificate

describe.skipIf(withoutRedis)('a queue behind TLS', () => {
  const cli = cliInFolder()
  const known = () => ({ NODE_EXTRA_CA_CERTS: certificate.file })
  const run = (environment: Record<string, string>, ...args: string[]) =>
    resultOf(startCli(args, cli.folder, environment))

  beforeAll(async () => {
    certificate = selfSigned(cli.folder)
    const user = '--user svm on >sesame ~hyperplane:* &* +@all --user default off'.split(' ')
    redis = await TestRedis.startWithTls(certificate, ...user)
    const { code, stderr } = await cli.run(
      ...['generate', 'moons', '-n', '120', '--noise', '0.3', '-o', 'moons.libsvm'],
    )
    if (code !== 0) throw new Error(stderr)
  })
  afterAll(() => redis?.stop())

  it('is used by workers and searches, whose table is that of a local one', async () => {
    const worker = startCli(
      ['worker', '--queue', redis.url('svm:sesame@'), '--threads', '1', '--data', cli.folder],
      cli.folder,
      known(),
    )
    const ended = resultOf(worker)
    const grid = ['tune', 'moons.libsvm', '--C', '1,10', '--gamma', '0.5,2', '--folds', '3', '--json']
    const here = await cli.run(...grid)
    const environment = { HYPERPLANE_QUEUE_USER: 'svm', HYPERPLANE_QUEUE_PASSWORD: 'sesame' }
    const there = await run({ ...known(), ...environment }, ...grid, '--queue', redis.url())
    expect(there).toMatchObject({ code: 0 })
    const table = ({ stdout }: typeof here) =>
      JSON.parse(stdout).cells.map(({ seconds, ...cell }: { seconds: number }) => cell)
    expect(table(there)).toEqual(table(here))
    worker.kill('SIGTERM')
    const { code, stderr } = await ended
    expect(code).toBe(0)
    expect(stderr).toContain(`waiting for jobs of ${redis.url()}`)
    expect(stderr + there.stderr).not.toMatch(/sesame|Warning/)
  })

  it.each([
    [
      'an unknown certificate',
      () => ({}),
      'svm:sesame@',
      'give Node the certificate with NODE_EXTRA_CA_CERTS',
    ],
    ['a wrong password', known, 'svm:wrong@', 'user or password is wrong; give them in the address'],
    ['no password', known, '', 'HYPERPLANE_QUEUE_PASSWORD in the environment'],
  ])('says what helps: %s', async (_, environment, credentials, help) => {
    const { code, stderr } = await run(
      { NODE_EXTRA_CA_CERTS: '', ...environment() },
      ...['queue', redis.url(credentials), 'status'],
    )
    expect(code).toBe(1)
    expect(stderr).toContain(help)
    expect(stderr).not.toMatch(/sesame|wrong@/)
  })

  it('says so where the address has no TLS', async () => {
    const { stderr } = await run(known(), 'queue', redis.url().replace('rediss:', 'redis:'), 'status')
    expect(stderr).toContain('if this port speaks TLS, use rediss://')
  })
})
