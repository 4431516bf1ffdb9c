import type { Role } from '#admin-api'
import { type Constellation, type ConstellationOptions, openForTest, startConstellation } from '#testing'
import { insertMember } from '../store/members.ts'
import { insertSession } from '../store/sessions.ts'
import { insertToken } from '../store/tokens.ts'
import type { Answer } from './harness.ts'

type Ask = (method: string, path: string, body?: unknown, revision?: number) => Promise<Answer>

/** Every service with the console, and somebody to ask it as. */
export interface Managed extends AsyncDisposable {
  readonly constellation: Constellation
  readonly operator: Ask
  /** As `operator`, whose passkey was shown ten minutes ago. */
  readonly unconfirmed: Ask
  readonly as: (account: string, role: Role) => Promise<Ask>
  /** The newest entry of an account's audit trail: of a change that was done, or whatever `which` filters. */
  readonly lastAudited: (account: string, which?: string) => Promise<unknown>
}

export async function startManaged(options: ConstellationOptions = {}): Promise<Managed> {
  await using starting = new AsyncDisposableStack()
  const constellation = starting.use(await startConstellation(options))
  const { url, database_url } = constellation.console
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
  const member_id = await knex.transaction((trx) => insertMember(trx, { name: 'Otto', operator: true, now }))
  const cookie = `console=${await insertSession(knex, { member_id, browser: 'test', now })}`
  const operator = askBy({ cookie, 'x-console': '1', origin: url })
  const earlier = new Date(now.getTime() - 600_000)
  const key = { passkey_id: 'key', name: 'key', public_key: Buffer.from('x'), counter: 0, transports: [] }
  await knex('passkeys').insert({ ...key, member_id, created_at: now })
  const idle = `console=${await insertSession(knex, { member_id, browser: 'test', now: earlier })}`
  const unconfirmed = askBy({ cookie: idle, 'x-console': '1', origin: url })
  const stack = starting.move()
  return {
    constellation,
    operator,
    unconfirmed,
    async as(account, role) {
      const expires_at = new Date(now.getTime() + 3_600_000)
      const { token } = await insertToken(knex, { account, role, name: role, expires_at, now })
      return askBy({ authorization: `Bearer ${token}` })
    },
    async lastAudited(account, which = 'outcome=done') {
      const { body } = await operator('GET', `/accounts/${account}/audit?limit=1&${which}`)
      const entries: unknown = Reflect.get(Object(body), 'entries')
      return Array.isArray(entries) ? entries[0] : undefined
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
