import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import type { Role } from '#admin-api'
import { openForTest, type ServiceStack, type SharedStack, type StackOptions, sharedStack, startStack } from '#testing'
import { insertMember } from '../store/members.ts'
import { insertSession } from '../store/sessions.ts'
import { insertToken } from '../store/tokens.ts'
import type { Answer } from './harness.ts'

/** Sends a request to a path of the Admin API, with `body` as JSON and `revision` as the ETag that must match. */
export type Ask = (method: string, path: string, body?: unknown, revision?: number) => Promise<Answer>

/** Every service with the console, and requests to its Admin API. */
export interface Managed<C = SharedStack> extends AsyncDisposable {
  readonly serviceStack: C
  /** The console's database. */
  readonly knex: Knex
  readonly operator: Ask
  /** As `operator`, whose passkey was shown ten minutes ago. */
  readonly unconfirmed: Ask
  /** Requests with a new token of an account, named like its role if it has no other name. */
  readonly as: (account: string, role: Role, name?: string) => Promise<Ask>
  /** A new token of an account, as `as` uses. */
  readonly tokenOf: (account: string, role: Role, name?: string) => Promise<string>
  /** The newest entry of an account's audit trail: of a change that was done, or whatever `which` filters. */
  readonly lastAudited: (account: string, which?: string) => Promise<unknown>
}

/** An account id that no other test uses: the files of a worker share one console. */
export function newAccount(): string {
  return `shop-${randomBytes(6).toString('hex')}`
}

/** The console of the shared stack, for tests with accounts of their own. */
export async function openManaged(): Promise<Managed> {
  return managedIn(await sharedStack())
}

/** The same in a stack of its own. */
export async function startManaged(options?: StackOptions): Promise<Managed<ServiceStack>> {
  return managedIn(await startStack(options))
}

async function managedIn<C extends SharedStack & Partial<AsyncDisposable>>(serviceStack: C): Promise<Managed<C>> {
  await using starting = new AsyncDisposableStack()
  starting.defer(() => serviceStack[Symbol.asyncDispose]?.())
  const { url, database_url } = serviceStack.console
  const { knex } = starting.use(openForTest(database_url))
  const askBy =
    (own: Record<string, string>): Ask =>
    async (method, path, body, revision) => {
      const response = await fetch(`${url}/admin/v1${path}`, {
        method,
        headers: {
          ...own,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(revision === undefined ? {} : { 'if-match': `"${revision}"` }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: response.status, headers: response.headers, body: await response.json() }
    }
  const now = new Date()
  const memberId = await knex.transaction((trx) => insertMember(trx, { name: 'Otto', operator: true, now }))
  const cookie = `console=${await insertSession(knex, { member_id: memberId, browser: 'test', now })}`
  const operator = askBy({ cookie, 'x-console': '1', origin: url })
  const earlier = new Date(now.getTime() - 600_000)
  const key = { passkey_id: 'key', name: 'key', public_key: Buffer.from('x'), counter: 0, transports: [] }
  // Operators of one name are one member, and another file of the worker may have added the passkey.
  await knex('passkeys')
    .insert({ ...key, member_id: memberId, created_at: now })
    .onConflict('passkey_id')
    .ignore()
  const idle = `console=${await insertSession(knex, { member_id: memberId, browser: 'test', now: earlier })}`
  const unconfirmed = askBy({ cookie: idle, 'x-console': '1', origin: url })
  const tokenOf = async (account: string, role: Role, name: string = role) => {
    const expiresAt = new Date(now.getTime() + 3_600_000)
    const { token } = await insertToken(knex, { account, role, name, expires_at: expiresAt, now })
    return token
  }
  const stack = starting.move()
  return {
    serviceStack,
    knex,
    operator,
    unconfirmed,
    as: async (...of) => askBy({ authorization: `Bearer ${await tokenOf(...of)}` }),
    tokenOf,
    async lastAudited(account, which = 'outcome=succeeded') {
      const { body } = await operator('GET', `/accounts/${account}/audit?limit=1&${which}`)
      const entries: unknown = Reflect.get(Object(body), 'entries')
      return Array.isArray(entries) ? entries[0] : undefined
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
