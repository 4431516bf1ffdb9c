import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { services } from '../../../deploy/local/services.ts'
import { root } from '../../../deploy/local/settings.ts'
import { startCountingProxy } from '../proxy/counting-proxy.ts'
import { postgresProtocol } from '../proxy/postgres-protocol.ts'
import type { Databases, FaultStack, Member } from '../stack.ts'
import type { FaultOperation } from './fault-case.ts'

export const rotationName = 'rotate_keys'
const commandName = 'rotate-keys'

export interface KeyRotation extends AsyncDisposable {
  readonly operation: FaultOperation
  /** The process of the command, which runs only during the operation. */
  readonly member: Member
}

/** The roll-over of the signing keys: a command that an operator runs, and repeats when it fails. */
export async function openKeyRotation({ wiring, databases }: FaultStack): Promise<KeyRotation> {
  const service = services.flat().find(({ name }) => name === 'provider-auth')
  if (service === undefined) throw new Error('There is no provider-auth.')
  const environment = service.environment(wiring)
  const proxy = await startCountingProxy(environment.DATABASE_URL ?? '', postgresProtocol, () => false)
  let running: ReturnType<typeof execFile> | undefined
  const run = () =>
    new Promise<{ readonly isDone: boolean; readonly output: string }>((resolve) => {
      running = execFile(
        process.execPath,
        [join(root, 'services/provider-auth/rotate-keys.ts')],
        { env: { ...process.env, ...environment, DATABASE_URL: proxy.url } },
        (error, stdout, stderr) => resolve({ isDone: error === null, output: stdout + stderr }),
      )
    })
  const operation: FaultOperation = {
    name: rotationName,
    participants: [commandName],
    exclusive: true,
    async prepare() {
      await endRotation(databases)
      return {
        users: [],
        async attempt() {
          const { isDone, output } = await run()
          const wasDone = output.includes('A rotation is in progress')
          return isDone || wasDone ? { status: 200, body: await readKeys(databases) } : undefined
        },
        findUsers: async () => [],
      }
    },
  }
  const never = () => {
    throw new Error('The command has no operations port and is not restarted.')
  }
  const member: Member = {
    name: commandName,
    database: proxy,
    bus: undefined,
    operations: never,
    pid: never,
    restarts: () => 0,
    kill: () => void running?.kill('SIGKILL'),
    signal: (signal) => void running?.kill(signal),
    ready: async () => {},
    [Symbol.asyncDispose]: async () => {},
  }
  return { operation, member, [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose]() }
}

/** Leaves one key of each algorithm, which signs, as some time after a rotation. */
async function endRotation({ provider_auth }: Databases): Promise<void> {
  await provider_auth.raw(
    `delete from signing_keys k where exists (
       select from signing_keys o where o.alg = k.alg and (o.activates_at, o.kid) > (k.activates_at, k.kid))`,
  )
  await provider_auth('signing_keys').update({ activates_at: new Date(0), withdrawn_at: null })
}

/** The keys without what differs between rotations. */
async function readKeys({ provider_auth }: Databases): Promise<string> {
  const { rows } = await provider_auth.raw<{ rows: object[] }>(
    `select alg, activates_at > now() as waits, withdrawn_at is not null as retires from signing_keys order by 1, 2, 3`,
  )
  return JSON.stringify(rows)
}
