import { transaction } from '#database'
import type { ProviderAuthHandlers } from '../deps.ts'
import { findRuleViolation } from '../domain/callback-rules.ts'
import { insertPreparedRules, listRegisteredUris, lockCallbackRules } from '../store/callback-rules.ts'

const maxReported = 100

export const prepareCallbackRules: ProviderAuthHandlers['prepareCallbackRules'] = async (rules, { knex }) =>
  transaction(knex, async (trx) => {
    await lockCallbackRules(trx, rules.site)
    const callbacks = await listRegisteredUris(trx, rules.site)
    const rejected = callbacks.flatMap((callback) => {
      const reason = findRuleViolation(callback.redirect_uri, rules)
      return reason === undefined ? [] : [{ ...callback, reason }]
    })
    if (rejected.length === 0) await insertPreparedRules(trx, rules)
    return { rejected: rejected.slice(0, maxReported) }
  })
