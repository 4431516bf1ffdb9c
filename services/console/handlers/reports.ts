import type { Handlers } from '#bus'
import type { consoleContract } from '#contracts'
import { transaction } from '#database'
import type { Deps } from '../deps.ts'
import { listUnredeemedLogins, mergeLogins } from '../domain/merge-logins.ts'
import { markIncomplete, nextPositions } from '../store/login-logs.ts'
import { upsertLoginRecords } from '../store/logins.ts'
import { setCircuits, upsertProviderCalls } from '../store/provider-calls.ts'
import { insertRejections } from '../store/rejections.ts'
import { insertReport } from '../store/reports.ts'
import { insertRequests } from '../store/requests.ts'
import { upsertCallers } from '../store/usage-callers.ts'
import { upsertLogins } from '../store/usage-logins.ts'
import { upsertResponses } from '../store/usage-responses.ts'
import { endUserActionHandlers } from './end-user-actions.ts'

/** Adds what other services report. A repeated report is ignored. */
export const reportHandlers: Handlers<typeof consoleContract, Pick<Deps, 'knex' | 'now'>> = {
  ...endUserActionHandlers,
  async reportCalls({ responses, callers, requests, ...report }, { knex }) {
    await transaction(knex, async (trx) => {
      if (!(await insertReport(trx, report))) return
      await upsertResponses(trx, responses)
      await upsertCallers(trx, callers)
      await insertRequests(trx, requests)
    })
    return {}
  },
  async reportRejections({ rejections, ...report }, { knex }) {
    const unredeemed = listUnredeemedLogins(rejections)
    await transaction(knex, async (trx) => {
      if (!(await insertReport(trx, report))) return
      const positions = await nextPositions(trx, listSites(rejections))
      await insertRejections(trx, rejections, positions)
      await upsertLoginRecords(trx, unredeemed, positions)
    })
    return {}
  },
  async reportLoginRecords({ logins, incomplete_sites, ...report }, { knex, now }) {
    const merged = mergeLogins(logins)
    await transaction(knex, async (trx) => {
      if (!(await insertReport(trx, report))) return
      const positions = await nextPositions(trx, [...new Set([...listSites(logins), ...incomplete_sites])])
      await upsertLoginRecords(trx, merged, positions)
      await markIncomplete(trx, incomplete_sites, now())
    })
    return {}
  },
  async reportLogins({ logins, provider_calls, circuits, ...report }, { knex }) {
    await transaction(knex, async (trx) => {
      if (!(await insertReport(trx, report))) return
      await upsertLogins(trx, logins)
      await upsertProviderCalls(trx, provider_calls)
      await setCircuits(trx, report.source, circuits)
    })
    return {}
  },
}

function listSites(records: readonly { readonly site: number | null }[]): number[] {
  return [...new Set(records.map(({ site }) => site))].filter((site) => site !== null)
}
