import { join } from 'node:path'
import { connectBus } from '#bus'
import { createLogger, type LogDestination } from '#runtime'
import { createAuthorization } from '../deploy/nats/authorization.ts'
import { busInterfaces } from '../deploy/nats/bus-interfaces.ts'
import { createPasswords } from '../deploy/nats/passwords.ts'
import { createAuthority } from './certificates.ts'
import { startFaultProxy } from './fault-proxy.ts'
import { type Outage, startTestNats } from './outage.ts'

/** Gets what leaves the services of a stack besides stored data. Services log everything then, and use TLS for NATS. */
export interface StackObserver {
  readonly log: LogDestination
  /** All bytes between services and NATS. */
  readonly observeBytes: (bytes: Buffer) => void
  /** The subject of each message, which tools of NATS show. */
  readonly observeSubject: (subject: string) => void
}

/** NATS of a stack, and how its services reach it. */
export interface StackBus extends AsyncDisposable {
  readonly nats: Outage
  /** With a host name, which TLS requires. */
  readonly url: string
  /** Settings of its clients. */
  readonly files: { readonly NATS_CA_FILE?: string }
}

/** Starts NATS with the permissions of each service; connections without a user have all permissions. */
export async function startStackBus(directory: string, password: string, observer?: StackObserver): Promise<StackBus> {
  await using starting = new AsyncDisposableStack()
  const authority = observer && createAuthority(join(directory, 'authority'))
  const nats = starting.use(
    await startTestNats(directory, {
      text: `${authority ? encryption(authority.certify('localhost')) : ''}${createAuthorization(busInterfaces, { observer: 'test' })}`,
      environment: createPasswords(busInterfaces, () => password),
    }),
  )
  const proxy = observer && starting.use(await startFaultProxy(nats.url, { observe: observer.observeBytes }))
  const url = proxy?.url ?? nats.url
  const files = authority ? { NATS_CA_FILE: authority.ca_file } : {}
  if (observer) {
    const logger = createLogger('observer', 'silent')
    const { connection } = starting.use(await connectBus(url, { name: 'observer', logger, files }))
    connection.subscribe('>', { callback: (_, { subject }) => observer.observeSubject(subject) })
    await connection.flush()
  }
  const stack = starting.move()
  return {
    nats,
    url,
    files,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

function encryption({ cert_file, key_file }: { readonly cert_file: string; readonly key_file: string }): string {
  return `tls { cert_file: "${cert_file}", key_file: "${key_file}" }\n`
}
