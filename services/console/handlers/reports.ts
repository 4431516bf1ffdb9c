import type { Handlers } from '#bus'
import type { consoleContract } from '#contracts'
import { transaction } from '#database'
import type { Deps } from '../deps.ts'
import { setCircuits, upsertProviderCalls } from '../store/provider-calls.ts'
import { insertRejections } from '../store/rejections.ts'
import { insertReport } from '../store/reports.ts'
import { insertRequests } from '../store/requests.ts'
import { upsertCallers } from '../store/usage-callers.ts'
import { upsertLogins } from '../store/usage-logins.ts'
import { upsertResponses } from '../store/usage-responses.ts'

/** Adds the counts that other services report. A repeated report is ignored. */
export const reportHandlers: Handlers<typeof consoleContract, Pick<Deps, 'knex'>> = {
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
    await transaction(knex, async (trx) => {
      if (await insertReport(trx, report)) await insertRejections(trx, rejections)
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
