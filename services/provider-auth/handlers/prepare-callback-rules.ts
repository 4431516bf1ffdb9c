import type { Handler } from '#bus'
import type { providerAuth } from '#contracts'
import { transaction } from '#database'
import type { Deps } from '../deps.ts'
import { refusalByRules } from '../domain/callback-rules.ts'
import { insertPreparedRules, listCallbacks, lockCallbacks } from '../store/callback-rules.ts'

type Procedure = (typeof providerAuth.procedures)['prepareCallbackRules']

const mostNamed = 100

export const prepareCallbackRules: Handler<Procedure, Deps> = async (rules, { knex }) =>
  transaction(knex, async (trx) => {
    await lockCallbacks(trx, rules.site)
    const callbacks = await listCallbacks(trx, rules.site)
    const refused = callbacks.flatMap((callback) => {
      const reason = refusalByRules(callback.redirect_uri, rules)
      return reason === undefined ? [] : [{ ...callback, reason }]
    })
    if (refused.length === 0) await insertPreparedRules(trx, rules)
    return { refused: refused.slice(0, mostNamed) }
  })
