import type { Handlers } from '#bus'
import type { consoleContract } from '#contracts'
import type { Deps } from '../deps.ts'
import { insertEndUserEntry } from '../store/audit-trail.ts'

type Served = Pick<Handlers<typeof consoleContract, Pick<Deps, 'knex'>>, 'recordEndUserAction'>

/** Adds what end users do with their own accounts to the audit trail, once. Neither addresses nor names are stored. */
export const endUserActionHandlers: Served = {
  async recordEndUserAction({ at, identifier, details, ...action }, { knex }) {
    await insertEndUserEntry(knex, {
      ...action,
      at: new Date(at),
      actor: 'end user',
      member_id: null,
      token_id: null,
      address: null,
      before: null,
      after: { identifier, ...details },
    })
    return {}
  },
}
