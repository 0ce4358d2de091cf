/** Where a queue is: an address such as rediss://user:password@host:6379/0. What is shown of it never has the password. */
import { HyperplaneError, ParameterError } from '../base/errors.ts'

/** Who may use the queue, where the address does not say so: better than a password on a command line, which others can see. */
const USER_VARIABLE = 'HYPERPLANE_QUEUE_USER'
/** The variable of the environment with the password. */
const PASSWORD_VARIABLE = 'HYPERPLANE_QUEUE_PASSWORD'

/** An address, checked. */
export interface QueueAddress {
  readonly host: string
  readonly port: number
  readonly database: number
  readonly username: string | undefined
  readonly password: string | undefined
  readonly tls: boolean
  /** For messages: without user and password. */
  readonly shown: string
}

/** Reads an address; user and password come from the environment where it has none. */
export function queueAddress(who: string, text: string, environment = process.env): QueueAddress {
  let url: URL | undefined
  try {
    url = new URL(text)
  } catch {
    url = undefined
  }
  const allowed = 'an address such as redis://localhost:6379 or rediss://HOST:PORT/DATABASE'
  if (!url || !['redis:', 'rediss:'].includes(url.protocol) || url.hostname === '')
    throw new ParameterError(who, 'queue', allowed, withoutCredentials(text))
  const [, database = '', ...rest] = url.pathname.split('/')
  if (!/^\d*$/.test(database) || rest.length > 0 || url.search !== '' || url.hash !== '')
    throw new ParameterError(who, 'queue', allowed, withoutCredentials(text))
  const tls = url.protocol === 'rediss:'
  const port = Number(url.port || 6379)
  const given = (part: string) => (part === '' ? undefined : decodeURIComponent(part))
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port,
    database: Number(database || 0),
    username: given(url.username) ?? environment[USER_VARIABLE],
    password: given(url.password) ?? environment[PASSWORD_VARIABLE],
    tls,
    shown: `${url.protocol}//${url.hostname}:${port}${database === '' ? '' : `/${database}`}`,
  }
}

/** A text that may be an address, fit to be shown. */
function withoutCredentials(text: string): string {
  return text.replace(/\/\/[^/]*@/, '//…@')
}

/** What a failure of the connection means, and what helps. */
export function explainQueueError({ shown, tls }: QueueAddress, error: unknown): Error {
  const { message = '', code, errors } = error as NodeJS.ErrnoException & { errors?: Error[] }
  const words = message === '' && errors ? errors.map((one) => one.message).join(', ') : message
  const say = (problem: string) => new HyperplaneError(`${shown}: ${problem}`, { cause: error })
  if (/WRONGPASS|NOAUTH|invalid password|without any password/i.test(words))
    return say(
      `user or password is wrong; give them in the address, or as ${USER_VARIABLE} and ${PASSWORD_VARIABLE} in the environment`,
    )
  if (/NOPERM/.test(words))
    return say(
      `the user may not do what a queue needs (${words}); allow it all commands on keys hyperplane:*`,
    )
  if (/^OOM|OOM command/.test(words))
    return say(
      "Redis has no memory left; raise its maxmemory, or remove old work with 'hyperplane queue ADDRESS clear'",
    )
  if (/MISCONF|No space left/.test(words))
    return say(`Redis cannot write to its disk; free some space there (${words})`)
  if (code === 'ECONNREFUSED' || /ECONNREFUSED/.test(words))
    return say('no response; is redis-server running, and is the port correct?')
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return say('unknown host')
  if (/wrong version number|SSL|TLS|certificate|self.signed/i.test(words))
    return say(
      tls
        ? `no TLS connection (${words}); give Node the certificate with NODE_EXTRA_CA_CERTS, or use redis:// where the server has no TLS`
        : `no connection (${words})`,
    )
  if (
    code === 'ECONNRESET' ||
    /Connection is closed|ECONNRESET|ETIMEDOUT/.test(words) ||
    code === 'ETIMEDOUT'
  )
    return say(
      tls
        ? 'the connection was closed; does this port speak TLS (rediss://)?'
        : 'the connection was closed; if this port speaks TLS, use rediss://',
    )
  return say(words)
}
