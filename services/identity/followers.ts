import type { Knex } from 'knex'
import { z } from 'zod'
import { type Call, type Client, newCall, remaining_ms } from '#bus'
import { type friendship, Identifier, type profile, type providerAuth, Site } from '#contracts'
import { dropJob, enqueueJob, type Job, type Task, transaction } from '#database'
import type { Logger } from '#runtime'

const User = z.object({ site: Site, identifier: Identifier })
type User = z.infer<typeof User>

type Part = 'profile.forgetUser' | 'providerAuth.forgetUser' | 'friendship.forgetUser'

/** What other services do about a user after a change here. Each may be asked twice, late or out of order. */
export type Followers = Readonly<Record<Part, (user: User, call: Call) => Promise<unknown>>>

/** One part of a change to be done by a follower. */
export interface Order {
  readonly part: Part
  readonly user: User
}

/** How long a job waits for its follower. Our choice. */
const job_deadline_ms = 10_000
/** How long a change's caller waits for the followers at most, and what of its time is left to answer it. Our choice. */
const follow_ms = 2_000
const answer_ms = 500

export function createFollowers(clients: {
  readonly profile: Client<typeof profile>
  readonly provider_auth: Client<typeof providerAuth>
  readonly friendship: Client<typeof friendship>
}): Followers {
  return {
    'profile.forgetUser': clients.profile.forgetUser,
    'providerAuth.forgetUser': clients.provider_auth.forgetUser,
    'friendship.forgetUser': clients.friendship.forgetUser,
  }
}

/** Has every other service forget a deleted user. */
export function forgetEverywhere(user: User): Order[] {
  const parts: Part[] = ['profile.forgetUser', 'providerAuth.forgetUser', 'friendship.forgetUser']
  return parts.map((part) => ({ part, user }))
}

/**
 * Leads a change that other services follow: commits it together with a job for each order, then asks the followers at
 * once. One that does not answer in time is asked again by its job, whatever becomes of this process.
 */
export async function lead(
  { knex, followers, logger }: { knex: Knex; followers: Followers; logger: Logger },
  call: Call,
  change: (trx: Knex.Transaction) => Promise<readonly Order[]>,
): Promise<void> {
  const orders = await transaction(knex, async (trx) => {
    const orders = await change(trx)
    for (const order of orders) await enqueueJob(trx, jobOf(order))
    return orders
  })
  const within_ms = Math.min(follow_ms, remaining_ms(call) - answer_ms)
  const asking = newCall({ request_id: call.request_id, within_ms })
  await Promise.all(
    orders.map(async (order) => {
      try {
        await followers[order.part](order.user, asking)
        await dropJob(knex, jobOf(order).key)
      } catch (error) {
        logger.warn({ error, part: order.part }, 'A follower did not answer; its job will ask it again.')
      }
    }),
  )
}

function jobOf({ part, user }: Order): Job {
  return { task: part, payload: user, key: `${part}:${user.site}:${user.identifier}` }
}

/** What the job queue does with the jobs of `lead`. */
export function followerTasks(followers: Followers): Record<string, Task> {
  const tasks = Object.entries(followers).map(([part, follow]): [string, Task] => [
    part,
    async (payload) => {
      await follow(User.parse(payload), newCall({ within_ms: job_deadline_ms }))
    },
  ])
  return Object.fromEntries(tasks)
}
