import type { Handler } from '#bus'
import type { providerAuthContract } from '#contracts'
import { transaction } from '#database'
import type { Deps } from '../deps.ts'
import { findRuleViolation } from '../domain/callback-rules.ts'
import { insertPreparedRules, listRegisteredUris, lockCallbackRules } from '../store/callback-rules.ts'

type Procedure = (typeof providerAuthContract.procedures)['prepareCallbackRules']

const maxReported = 100

export const prepareCallbackRules: Handler<Procedure, Deps> = async (rules, { knex }) =>
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
