import type { Knex } from 'knex'
import type { z } from 'zod'
import { type Call, newCall, remaining_ms } from '#bus'
import { dropJob, enqueueJob, type Job, type Task, transaction } from '#database'
import type { Logger } from '#runtime'
import { type Order, type Part, parts } from './orders.ts'
import type { Asked } from './station.ts'

type Follow = (input: unknown, call: Call) => Promise<unknown>

/** How each part is ordered. */
export type Followers = Readonly<Record<Part, Follow>>

/** How long a job waits for its follower. Our choice. */
const job_deadline_ms = 10_000
/** How long a change's caller waits for the followers at most, and what of its time is left to answer it. Our choice. */
const follow_ms = 2_000
const answer_ms = 500

export function createFollowers(clients: Asked): Followers {
  return {
    'profile.changeNotStored': follow(parts['profile.changeNotStored'], clients.profile.changeNotStored),
    'profile.forgetUser': follow(parts['profile.forgetUser'], clients.profile.forgetUser),
    'profile.removeProviders': follow(parts['profile.removeProviders'], clients.profile.removeProviders),
    'profile.mergeUsers': follow(parts['profile.mergeUsers'], clients.profile.mergeUsers),
    'providerAuth.forgetUser': follow(parts['providerAuth.forgetUser'], clients.provider_auth.forgetUser),
    'providerAuth.removeProviders': follow(
      parts['providerAuth.removeProviders'],
      clients.provider_auth.removeProviders,
    ),
    'providerAuth.mergeUsers': follow(parts['providerAuth.mergeUsers'], clients.provider_auth.mergeUsers),
    'friendship.forgetUser': follow(parts['friendship.forgetUser'], clients.friendship.forgetUser),
    'friendship.removeStatus': follow(parts['friendship.removeStatus'], clients.friendship.removeStatus),
    'friendship.mergeUsers': follow(parts['friendship.mergeUsers'], clients.friendship.mergeUsers),
  }
}

/** An order may come out of the job queue, so it is parsed. */
function follow<S extends z.ZodType>(schema: S, ask: (input: z.output<S>, call: Call) => Promise<unknown>): Follow {
  return async (input, call) => ask(schema.parse(input), call)
}

/**
 * Leads a change that other services follow: commits it together with a job for each order, then asks the followers at
 * once. One that does not answer in time is asked again by its job, whatever becomes of this process.
 *
 * @returns the parts that are left to their jobs
 */
export async function lead(
  deps: Leading,
  call: Call,
  change: (trx: Knex.Transaction) => Promise<readonly Order[]>,
): Promise<Part[]> {
  const orders = await transaction(deps.knex, async (trx) => {
    const orders = await change(trx)
    await enqueue(trx, orders)
    return orders
  })
  return followNow(deps, call, orders)
}

interface Leading {
  readonly knex: Knex
  readonly followers: Followers
  readonly logger: Logger
}

/** The first half of `lead`, within a change's own transaction. */
export async function enqueue(trx: Knex.Transaction, orders: readonly Order[]): Promise<void> {
  for (const order of orders) await enqueueJob(trx, jobOf(order))
}

/** The second half of `lead`, after the change was committed. */
export async function followNow(
  { knex, followers, logger }: Leading,
  call: Call,
  orders: readonly Order[],
): Promise<Part[]> {
  const within_ms = Math.min(follow_ms, remaining_ms(call) - answer_ms)
  const asking = newCall({ request_id: call.request_id, within_ms })
  const late: Part[] = []
  await Promise.all(
    orders.map(async ({ part, input, key }) => {
      try {
        await followers[part](input, asking)
      } catch (error) {
        late.push(part)
        logger.warn({ error, part }, 'A follower did not answer; its job will ask it again.')
        return
      }
      await dropJob(knex, key).catch((error: unknown) =>
        logger.warn({ error, part }, 'A job is left to be done again.'),
      )
    }),
  )
  return late
}

function jobOf({ part, input, key }: Order): Job {
  return { task: part, payload: input, key }
}

/** What the job queue does with the jobs of `lead`. */
export function followerTasks(followers: Followers): Record<string, Task> {
  const tasks = Object.entries(followers).map(([part, follow]): [string, Task] => [
    part,
    async (payload) => {
      await follow(payload, newCall({ within_ms: job_deadline_ms }))
    },
  ])
  return Object.fromEntries(tasks)
}
