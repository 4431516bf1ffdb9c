import type { Handlers } from '#bus'
import type { consoleReports } from '#contracts'
import { transaction } from '#database'
import type { Deps } from '../deps.ts'
import { addAnswers } from './answers.ts'
import { addCallers } from './callers.ts'
import { addLogins } from './logins.ts'
import { addProviderCalls, setCircuits } from './provider-health.ts'
import { insertRejections } from './rejections.ts'
import { isNew } from './reports.ts'
import { insertRequests } from './requests.ts'

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
