import type { Handlers } from '#bus'
import type { consoleReports } from '#contracts'
import { transaction } from '#database'
import type { Deps } from '../deps.ts'
import { addProviderCalls, setCircuits } from '../store/provider-calls.ts'
import { insertRejections } from '../store/rejections.ts'
import { isNew } from '../store/reports.ts'
import { insertRequests } from '../store/requests.ts'
import { addAnswers } from '../store/usage-answers.ts'
import { addCallers } from '../store/usage-callers.ts'
import { addLogins } from '../store/usage-logins.ts'

/** Adds up what other services report; a report counts once. */
export const reportHandlers: Handlers<typeof consoleReports, Pick<Deps, 'knex'>> = {
  async reportCalls({ answers, callers, requests, ...report }, { knex }) {
    await transaction(knex, async (trx) => {
      if (!(await isNew(trx, report))) return
      await addAnswers(trx, answers)
      await addCallers(trx, callers)
      await insertRequests(trx, requests)
    })
    return {}
  },
  async reportRejections({ rejections, ...report }, { knex }) {
    await transaction(knex, async (trx) => {
      if (await isNew(trx, report)) await insertRejections(trx, rejections)
    })
    return {}
  },
  async reportLogins({ logins, provider_calls, circuits, ...report }, { knex }) {
    await transaction(knex, async (trx) => {
      if (!(await isNew(trx, report))) return
      await addLogins(trx, logins)
      await addProviderCalls(trx, provider_calls)
      await setCircuits(trx, report.source, circuits)
    })
    return {}
  },
}
