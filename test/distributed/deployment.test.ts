/** What the guide says of deployment is a text that Compose, Kubernetes and shells can read, and names commands and flags that exist. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { cliInFolder } from '../cli/run-cli.ts'
import { codeBlocks } from '../markdown.ts'

const guide = readFileSync(new URL('../../docs/guide/distributed.md', import.meta.url), 'utf8')
const blocks = codeBlocks(guide)
const documents = blocks.filter(({ language }) => language === 'yaml').map(({ code }) => parse(code))
const compose = documents.find(({ services }) => services)
const deployment = documents.find(({ kind }) => kind === 'Deployment')

/** Every call of the command: its words after `hyperplane`. */
const calls: string[][] = [
  ...[compose.services.worker.command.split(' '), deployment.spec.template.spec.containers[0].args],
  ...blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => code.split('\n'))
    .filter((line) => /^(exec )?hyperplane /.test(line))
    .map((line) => line.split(/\s+/)),
].map((words) => words.slice(words.lastIndexOf('hyperplane') + 1))

describe('deployment in the guide', () => {
  const cli = cliInFolder()

  it('names commands and flags that exist', async () => {
    expect(calls.length).toBeGreaterThan(8)
    const help = new Map<string, string>()
    for (const [command, ...words] of calls) {
      if (!help.has(command)) {
        const { code, stdout } = await cli.run(command, '--help')
        expect(code, command).toBe(0)
        help.set(command, stdout)
      }
      for (const flag of words.filter((word) => /^--?[a-zA-Z]/.test(word)))
        expect(help.get(command), `${command} ${flag}`).toMatch(new RegExp(`(^|[\\s,])${flag}\\b`, 'm'))
    }
  })

  it('says the same in the parts of a manifest', () => {
    const { selector, template } = deployment.spec
    expect(template.metadata.labels).toEqual(selector.matchLabels)
    const [{ args, volumeMounts, livenessProbe }] = template.spec.containers
    const port = args[args.indexOf('--status') + 1]
    expect(livenessProbe.httpGet.port).toBe(Number(port))
    expect(template.metadata.annotations['prometheus.io/port']).toBe(port)
    expect(volumeMounts[0].mountPath).toBe(args[args.indexOf('--cache') + 1])
    const names = (list: { name: string }[]) => list.map(({ name }) => name)
    expect(names(template.spec.volumes)).toEqual(names(volumeMounts))
    expect(Object.keys(compose.volumes)).toEqual(
      compose.services.redis.volumes.map((volume: string) => volume.split(':')[0]),
    )
    expect(compose.services.redis.command).toContain('--maxmemory-policy noeviction')
    // Time for --grace, 20 s unless given, before a container is killed.
    expect(Number.parseInt(compose.services.worker.stop_grace_period, 10)).toBeGreaterThan(20)
    expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(20)
  })
})
