import type { Knex } from 'knex'
import { z } from 'zod'
import { remainingMs } from '#bus'
import { type ImportedUser, ImportOutcome } from '#contracts'
import { runCommand, storeCreated, storeEvents } from '#database'
import type { IdentityHandlers } from '../deps.ts'
import { importBatch } from '../import-batch.ts'
import type { IdentityMessage } from '../outbox.ts'
import { listLinksOfAccounts } from '../store/imported-users.ts'

/** What a repeat needs to know of the first run; its links are looked up. */
const StoredBatch = z.object({
  recorded_at: z.iso.datetime(),
  results: z.array(z.object({ outcome: ImportOutcome, identifier: z.string().nullable(), links: z.array(z.int()) })),
})
type StoredBatch = z.output<typeof StoredBatch>

const attempts = 5

export const importUsers: IdentityHandlers['importUsers'] = async (
  { site, command, conflict, users },
  { knex, outbox, readSiteSchemas },
  call,
) => {
  const run = () =>
    runCommand<{ batch: StoredBatch; messages: readonly IdentityMessage[] }>(
      knex,
      { site, command },
      async (trx) => {
        const { recorded_at, results, messages, events } = await importBatch(
          trx,
          site,
          conflict,
          users,
          readSiteSchemas,
        )
        await outbox.enqueue(trx, messages)
        const batch: z.input<typeof StoredBatch> = {
          recorded_at: recorded_at.toISOString(),
          results: results.map(({ links, ...result }) => ({ ...result, links: [...links] })),
        }
        await storeCreated(trx, { site, command }, JSON.stringify(batch))
        await storeEvents(trx, events)
        return { batch, messages }
      },
      (_trx, created) => ({ batch: StoredBatch.parse(JSON.parse(created ?? '')), messages: [] }),
    )
  const { batch, messages } = await retryConflicts(run)
  await outbox.send(messages, { request_id: call.request_id, withinMs: remainingMs(call) })
  return { recorded_at: batch.recorded_at, results: await findStoredLinks(knex, site, users, batch) }
}

/** Another transaction can create a user of the batch between its check and its insert; then the batch finds that user. */
export async function retryConflicts<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt === attempts || !isUniqueViolation(error)) throw error
    }
  }
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'code') === '23505'
}

async function findStoredLinks(knex: Knex, site: number, users: readonly ImportedUser[], { results }: StoredBatch) {
  const accountsOf = (index: number) =>
    (results[index]?.links ?? []).map((link) => users[index]?.links[link]).filter((link) => link !== undefined)
  const links = await listLinksOfAccounts(
    knex,
    site,
    users.flatMap((_, index) => accountsOf(index)),
  )
  const byAccount = new Map(links.map((link) => [`${link.provider} ${link.provider_user_id}`, link]))
  return results.map(({ outcome, identifier }, index) => ({
    outcome,
    identifier,
    links: accountsOf(index)
      .map(({ provider, provider_user_id }) => byAccount.get(`${provider} ${provider_user_id}`))
      .filter((link) => link !== undefined),
  }))
}
