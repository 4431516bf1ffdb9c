import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Knex } from 'knex'
import { inject } from 'vitest'
import type { Role, SiteRoles } from '#admin-api'
import type { Environment, RunningService } from '#runtime'
import { atFreePort } from '../../../testing/at-free-port.ts'
import { cloneDatabase, openForTest } from '../../../testing/databases.ts'
import { type Outage, startTestNats } from '../../../testing/outage.ts'
import { startForTest } from '../../../testing/start-for-test.ts'
import { readConfig } from '../config.ts'
import { createConsoleService } from '../service.ts'
import { insertInvitation } from '../store/invitations.ts'
import { addSiteRoles, insertMember, upsertRole } from '../store/members.ts'
import { insertMemberSession } from '../store/sessions.ts'
import { insertToken } from '../store/tokens.ts'

/** A console with its own NATS, database and test clock. */
export interface Harness extends AsyncDisposable {
  readonly url: string
  readonly knex: Knex
  readonly database_url: string
  readonly nats: Outage
  readonly replica: RunningService<{ port: number }>
  readonly clock: { now: Date; readonly pass: (seconds: number) => void }
  /** Creates a member with a new session. */
  readonly createMemberClient: (
    who?: MemberOptions,
  ) => Promise<AdminClient & { readonly member_id: string; readonly cookie: string }>
  readonly createTokenClient: (
    account: string,
    role: Role,
    expiresAt?: Date,
  ) => Promise<AdminClient & { readonly token: string }>
  readonly createOperatorTokenClient: () => Promise<AdminClient>
  readonly anonymous: AdminClient
  /** Creates the token of a link for an operator, or for a member of an account. */
  readonly createLink: (name: string, of?: { account: string; role: Role }) => Promise<string>
  /** Creates the token of a link that signs an operator in on a development machine. */
  readonly createSignInLink: (name: string) => Promise<string>
}

export interface MemberOptions {
  readonly name?: string
  readonly operator?: boolean
  readonly roles?: Readonly<Record<string, Role>>
  /** By account and site_id. */
  readonly site_roles?: Readonly<Record<string, SiteRoles>>
}

export interface AdminResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** Sends requests with fixed credentials; `body` is sent as JSON. */
export type AdminClient = {
  readonly send: (
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ) => Promise<AdminResponse>
}

export interface HarnessOptions {
  readonly web?: string
  readonly environment?: Environment
}

export async function startConsole({ web, environment = {} }: HarnessOptions = {}): Promise<Harness> {
  await using starting = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'social-login-console-'))
  starting.defer(() => rm(directory, { recursive: true, force: true }))
  const nats = starting.use(await startTestNats(directory))
  const databaseUrl = await cloneDatabase(inject('postgres_url'), 'console')
  const { knex } = starting.use(openForTest(databaseUrl))
  const clock = {
    now: new Date('2030-01-01T00:00:00Z'),
    pass(seconds: number) {
      clock.now = new Date(clock.now.getTime() + seconds * 1_000)
    },
  }
  const service = createConsoleService({ now: () => clock.now, web: web ?? join(directory, 'unbuilt') })
  const { url, launched } = await atFreePort((port, address) =>
    startForTest(
      'console',
      { readConfig, service },
      {
        DATABASE_URL: databaseUrl,
        NATS_URL: nats.url,
        PORT: String(port),
        CONSOLE_URL: address,
        ENCRYPTION_KEYS: inject('encryption_keys'),
        // Chats of tests are on this machine.
        WEBHOOK_PRIVATE_ADDRESSES: '127.0.0.0/8',
        // OpenID Providers of tests are on this machine.
        SIGN_IN_PRIVATE_ADDRESSES: '127.0.0.0/8,::1',
        ...environment,
      },
    ),
  )
  starting.defer(launched.stop)
  const createClient = (credentials: Record<string, string>): AdminClient => ({
    async send(method, path, { body, headers = {} } = {}) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { ...credentials, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
    },
  })
  let members = 0
  const stack = starting.move()
  return {
    url,
    knex,
    database_url: databaseUrl,
    nats,
    replica: launched,
    clock,
    async createMemberClient({ name = `Member ${++members}`, operator = false, roles = {}, site_roles = {} } = {}) {
      const { now } = clock
      const memberId = await knex.transaction(async (trx) => {
        const insertedId = await insertMember(trx, { name, operator, now })
        for (const [account, role] of Object.entries(roles))
          await upsertRole(trx, { member_id: insertedId, account, role })
        for (const [account, inSites] of Object.entries(site_roles))
          await addSiteRoles(trx, { member_id: insertedId, account, site_roles: inSites })
        return insertedId
      })
      const cookie = `console=${await insertMemberSession(knex, { member_id: memberId, browser: 'test', now })}`
      return { member_id: memberId, cookie, ...createClient({ cookie, 'x-console': '1', origin: url }) }
    },
    async createTokenClient(account, role, expiresAt = new Date(clock.now.getTime() + 3_600_000)) {
      const { token } = await insertToken(knex, {
        account,
        role,
        name: `${role} of ${account}`,
        expires_at: expiresAt,
        now: clock.now,
      })
      return { token, ...createClient({ authorization: `Bearer ${token}` }) }
    },
    async createOperatorTokenClient() {
      const expiresAt = new Date(clock.now.getTime() + 3_600_000)
      const { token } = await insertToken(knex, {
        account: null,
        role: null,
        name: 'operators',
        expires_at: expiresAt,
        now: clock.now,
      })
      return createClient({ authorization: `Bearer ${token}` })
    },
    anonymous: createClient({}),
    async createSignInLink(name) {
      const { token } = await insertInvitation(knex, { name, signs_in: true, now: clock.now })
      return token
    },
    async createLink(name, of) {
      const { token } = await insertInvitation(knex, { name, ...(of ? { of } : {}), now: clock.now })
      return token
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Returns the fault name of an error response. */
export function getFault(response: AdminResponse): string | undefined {
  return getText(response, 'error', 'name')
}

/** Returns the text at a path of the response; undefined if there is none. */
export function getText({ body }: Pick<AdminResponse, 'body'>, ...path: (string | number)[]): string | undefined {
  const found = path.reduce<unknown>((at, step) => Reflect.get(Object(at), step), body)
  return typeof found === 'string' ? found : undefined
}
