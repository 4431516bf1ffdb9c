import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import type { Role } from '#admin-api'
import { openForTest, type ServiceStack, type SharedStack, type StackOptions, sharedStack, startStack } from '#testing'
import { insertMember } from '../store/members.ts'
import { insertMemberSession } from '../store/sessions.ts'
import { insertToken } from '../store/tokens.ts'
import type { AdminResponse } from './harness.ts'

/** Sends a request to a path of the Admin API, with `body` as JSON and `revision` as the ETag that must match. */
export type SendRequest = (method: string, path: string, body?: unknown, revision?: number) => Promise<AdminResponse>

/** Every service with the console, and requests to its Admin API. */
export interface Managed<C = SharedStack> extends AsyncDisposable {
  readonly serviceStack: C
  /** The console's database. */
  readonly knex: Knex
  readonly operator: SendRequest
  /** Like `operator`, with a confirmation that is ten minutes old. */
  readonly unconfirmed: SendRequest
  /** Sends requests with a new token of an account. The default name is the role. */
  readonly createClient: (account: string, role: Role, name?: string) => Promise<SendRequest>
  /** Creates a token of an account. */
  readonly createToken: (account: string, role: Role, name?: string) => Promise<string>
  /** Registers the site `shop` of a new account, and creates a token of the account. The default role is owner. */
  readonly openShop: (role?: Role) => Promise<{ account: string; site: number; token: string; send: SendRequest }>
  /** Reads the newest entry of an account's audit trail, by default of a successful change. */
  readonly findLastEntry: (account: string, which?: string) => Promise<unknown>
}

/** Creates a unique account ID, because the test files of a worker share one console. */
export function newAccount(): string {
  return `shop-${randomBytes(6).toString('hex')}`
}

/** The console of the shared stack, for tests with accounts of their own. */
export async function openManaged(): Promise<Managed> {
  return createManaged(await sharedStack())
}

/** Starts a separate stack. */
export async function startManaged(options?: StackOptions): Promise<Managed<ServiceStack>> {
  return createManaged(await startStack(options))
}

async function createManaged<C extends SharedStack & Partial<AsyncDisposable>>(serviceStack: C): Promise<Managed<C>> {
  await using starting = new AsyncDisposableStack()
  starting.defer(() => serviceStack[Symbol.asyncDispose]?.())
  const { url, database_url } = serviceStack.console
  const { knex } = starting.use(openForTest(database_url))
  const createSender =
    (own: Record<string, string>): SendRequest =>
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
  // On a slow machine, a file takes longer than a confirmation is valid.
  const later = new Date(now.getTime() + 3_600_000)
  const cookie = `console=${await insertMemberSession(knex, { member_id: memberId, browser: 'test', now: later })}`
  const operator = createSender({ cookie, 'x-console': '1', origin: url })
  const earlier = new Date(now.getTime() - 600_000)
  const key = { passkey_id: 'key', name: 'key', public_key: Buffer.from('x'), counter: 0, transports: [] }
  // Operators with the same name are one member, so another test file may have added the passkey.
  await knex('passkeys')
    .insert({ ...key, member_id: memberId, created_at: now })
    .onConflict('passkey_id')
    .ignore()
  const idle = `console=${await insertMemberSession(knex, { member_id: memberId, browser: 'test', now: earlier })}`
  const unconfirmed = createSender({ cookie: idle, 'x-console': '1', origin: url })
  const tokenOf = async (account: string, role: Role, name: string = role) => {
    const expiresAt = new Date(now.getTime() + 3_600_000)
    const { token } = await insertToken(knex, { account, role, name, expires_at: expiresAt, now })
    return token
  }
  const clientOf = (token: string) => createSender({ authorization: `Bearer ${token}` })
  const stack = starting.move()
  return {
    serviceStack,
    knex,
    operator,
    unconfirmed,
    createClient: async (...of) => clientOf(await tokenOf(...of)),
    createToken: tokenOf,
    async openShop(role = 'owner') {
      const { identity, call } = serviceStack
      const account = newAccount()
      const { site } = await identity.registerSite({ account, site_id: 'shop', name: 'Shop' }, call())
      const token = await tokenOf(account, role)
      return { account, site, token, send: clientOf(token) }
    },
    async findLastEntry(account, which = 'outcome=succeeded') {
      const { body } = await operator('GET', `/accounts/${account}/audit?limit=1&${which}`)
      const entries: unknown = Reflect.get(Object(body), 'entries')
      return Array.isArray(entries) ? entries[0] : undefined
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
