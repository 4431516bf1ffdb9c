import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Answer } from '../client.ts'
import { createSite } from './console-operations.ts'
import { createUsers } from './export-operation.ts'
import type { FaultOperation, PreparedRequest } from './fault-case.ts'
import { withTimeout } from './login-operations.ts'

const pollMs = 100
/** Some looks of identity for work that is due. */
const waitMs = 12_000

/** Work that identity begins by itself. After a fault, it is waited for. */
function backgroundRequest(
  users: readonly string[],
  {
    start,
    resume,
    isDone,
  }: Readonly<Record<'start' | 'resume', () => Promise<unknown>>> & {
    readonly isDone: () => Promise<boolean>
  },
): PreparedRequest {
  let next = start
  const work = async (): Promise<Answer | undefined> => {
    const begin = next
    next = resume
    await begin()
    for (const until = performance.now() + waitMs; performance.now() < until; await delay(pollMs))
      if (await isDone()) return { status: 200, body: 'done' }
    return undefined
  }
  return {
    users,
    attempt: () => withTimeout(work()).catch(() => undefined), // reset, refused or timed out
    findUsers: async () => [],
  }
}

/** The deletion of a user who asked for it, when the waiting period has ended. */
const dueDeletion: FaultOperation = {
  name: 'due_deletion',
  participants: ['identity'],
  // A fault would also meet the deletions of earlier cases.
  exclusive: true,
  async prepare({ site, databases: { identity }, createUser }, tag) {
    const identifier = await createUser({ links: [{ provider: 'messaging', provider_user_id: tag }] })
    const user = { site, identifier }
    const now = identity.fn.now()
    return backgroundRequest([identifier], {
      start: async () => identity('user_deletions').insert({ ...user, requested_at: now, delete_at: now }),
      resume: async () => undefined,
      isDone: async () => !(await hasRow(identity, 'users', user)),
    })
  },
}

/** The announcement of the deletion of a site's users, after its rule was turned on. */
const inactivityPass: FaultOperation = {
  name: 'inactivity_pass',
  participants: ['identity'],
  exclusive: true,
  async prepare(faultSite, tag) {
    const { admin, databases } = faultSite
    const { identity } = databases
    const name = await createSite(admin, tag)
    await createUsers(faultSite, name, 2)
    const [row] = await identity('sites').where({ site_id: name }).select('site')
    const { site } = row
    await identity('users')
      .where({ site })
      .update({ created_at: new Date('2015-01-01') })
    const users: string[] = await identity('users').where({ site }).pluck('identifier')
    const path = `/sites/${name}/inactivity-rule`
    const turnOn = async () => {
      const { etag } = await admin.send('GET', path)
      await admin.send('PUT', path, { delete_after_days: 730 }, { 'if-match': etag })
    }
    return backgroundRequest(users, {
      start: turnOn,
      async resume() {
        if (!(await hasRow(identity, 'inactivity_rules', { site }))) await turnOn()
        // The lease of a killed replica ends after minutes.
        await identity('inactivity_rules').where({ site }).update({ next_look_at: identity.fn.now() })
      },
      async isDone() {
        const announced: unknown[] = await identity('user_deletions').where({ site, cause: 'inactivity' })
        return announced.length === users.length
      },
    })
  },
}

async function hasRow(knex: Knex, table: string, key: object): Promise<boolean> {
  const row: unknown = await knex(table).where(key).first()
  return row !== undefined
}

/** What identity does by itself. */
export const deletionOperations: readonly FaultOperation[] = [dueDeletion, inactivityPass]
