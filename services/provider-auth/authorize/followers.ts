import type { Knex } from 'knex'
import { z } from 'zod'
import { type Call, newCall, remaining_ms } from '#bus'
import { friendship, profile } from '#contracts'
import { dropJob, enqueueJob, type Task } from '#database'
import type { Place } from '#runtime'
import type { Deps } from '../deps.ts'

/** Something another service is to be told of a login. It may be told twice or late. */
const Telling = z.discriminatedUnion('what', [
  z.object({ what: z.literal('provider_data'), input: profile.procedures.recordProviderData.input }),
  z.object({ what: z.literal('friend_status'), input: friendship.procedures.recordStatus.input }),
])
export type Telling = z.infer<typeof Telling>

/** How long a login waits for a follower; what was not done by then is done by a job. Our choice. */
const follower_wait_ms = 2_000

const task = 'tell_follower'
/** What is told is about a person, so it waits sealed. */
const Payload = z.object({ key: z.string(), sealed: z.base64() })

/** Makes sure of each telling in the login's own transaction. */
export async function enqueueTellings(
  trx: Knex.Transaction,
  { sealer }: Pick<Deps, 'sealer'>,
  login: string,
  tellings: readonly Telling[],
): Promise<void> {
  for (const telling of tellings) {
    const key = keyOf(login, telling)
    const sealed = sealer.seal(JSON.stringify(telling), placeOf(key)).toString('base64')
    await enqueueJob(trx, { task, key, payload: { key, sealed } })
  }
}

/** Tells all at once, so that what a login brought is normally to be read when it ends. One who is away hears it later. */
export async function tellFollowers(
  deps: Pick<Deps, 'knex' | 'profile' | 'friendship' | 'logger'>,
  login: string,
  tellings: readonly Telling[],
  call: Call,
): Promise<void> {
  const { request_id } = call
  const brief = newCall({ request_id, within_ms: Math.min(remaining_ms(call), follower_wait_ms) })
  await Promise.all(
    tellings.map(async (telling) => {
      try {
        await tell(telling, deps, brief)
        await dropJob(deps.knex, keyOf(login, telling))
      } catch (error) {
        deps.logger.warn({ error, what: telling.what, request_id }, 'a follower of a login is told later')
      }
    }),
  )
}

/** What the job queue does for logins. */
export function loginTasks(deps: Pick<Deps, 'sealer' | 'profile' | 'friendship'>): Readonly<Record<string, Task>> {
  return {
    async [task](payload) {
      const { key, sealed } = Payload.parse(payload)
      const opened = await deps.sealer.open(Buffer.from(sealed, 'base64'), placeOf(key))
      await tell(Telling.parse(JSON.parse(opened)), deps, newCall())
    },
  }
}

async function tell(telling: Telling, deps: Pick<Deps, 'profile' | 'friendship'>, call: Call): Promise<void> {
  if (telling.what === 'provider_data') await deps.profile.recordProviderData(telling.input, call)
  else await deps.friendship.recordStatus(telling.input, call)
}

function keyOf(login: string, { what }: Telling): string {
  return `${task}:${login}:${what}`
}

function placeOf(key: string): Place {
  return ['jobs', key]
}
