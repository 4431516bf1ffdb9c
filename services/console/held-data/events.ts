import type { Call } from '#bus'
import { Fault } from '#contracts'
import type { Deps } from '../deps.ts'

/** Reads the stored events about a user, oldest first, at most `limit`. A page is as large as a message of the bus. */
export async function readUserEvents(
  { site, identifier, limit }: { readonly site: number; readonly identifier: string; readonly limit: number },
  { account, site_id }: { readonly account: string; readonly site_id: string },
  events: Deps['events'],
  call: Call,
): Promise<Record<string, unknown>[]> {
  let records: Record<string, unknown>[] = []
  let after: string | undefined
  for (;;) {
    const rest = Math.min(limit - records.length, pageSize)
    const query = { site, account, site_id, identifier, limit: rest, ...(after !== undefined && { after }) }
    const page = await events.listEventObjects(query, call).catch((error: unknown) => {
      if (!(error instanceof Fault && error.fault === 'events_deleted')) throw error
    })
    if (page === undefined) {
      // The oldest events were deleted between two pages.
      records = []
      after = undefined
      continue
    }
    // A replica of an earlier release returns the events of all users.
    const ofUser = page.events.filter(({ user, merged_user }) =>
      [user.identifier, merged_user?.identifier].includes(identifier),
    )
    records.push(...ofUser.map(({ type, timestamp, data }) => ({ type, timestamp, data })))
    if (!page.more || records.length >= limit) return records
    after = page.next_after
  }
}

/** Our choice. */
const pageSize = 500
