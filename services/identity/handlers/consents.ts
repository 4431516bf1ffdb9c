import { runCommand, storeEvents } from '#database'
import { toTimestamp } from '#runtime'
import type { IdentityHandlers } from '../deps.ts'
import { applyAnswers, listChangedAnswers } from '../domain/consents.ts'
import { consentsChangedEvent } from '../domain/user-events.ts'
import { enqueueEndUserAction } from '../enqueue-end-user-action.ts'
import { readClock } from '../store/clock.ts'
import { findConsents, listConsents, storeConsents } from '../store/consents.ts'
import { lockUserByIds } from '../store/user-lookup.ts'
import { resolveUser } from './users.ts'

type ConsentHandlers = Pick<IdentityHandlers, 'readConsents' | 'readConsentsOfUsers' | 'recordConsents'>

export const consentHandlers: ConsentHandlers = {
  async readConsents({ site, ...ids }, deps, call) {
    const { user } = await resolveUser({ site, ...ids }, deps, call)
    const { identifier } = user
    return { identifier, consents: await findConsents(deps.reader, { site, identifier }) }
  },

  async readConsentsOfUsers({ site, identifiers }, { reader }) {
    return { consents: Object.fromEntries(await listConsents(reader, site, identifiers)) }
  },

  async recordConsents({ site, answers, by_end_user, command, ...ids }, deps, call) {
    return runCommand(
      deps.knex,
      { site, command },
      async (trx) => {
        const user = await lockUserByIds(trx, site, ids)
        const { identifier } = user
        const before = await findConsents(trx, { site, identifier })
        const time = await readClock(trx)
        const after = applyAnswers(before, answers, toTimestamp(time))
        if (after === undefined) return { identifier, consents: before }
        await storeConsents(trx, site, [[identifier, after]])
        const action = { action: 'answerDocuments', details: { answers: listChangedAnswers(before, answers) } } as const
        if (by_end_user) await enqueueEndUserAction(trx, { site, identifier, time }, action, deps, call)
        await storeEvents(trx, [consentsChangedEvent({ ...user, site, time }, after)])
        return { identifier, consents: after }
      },
      async (trx) => {
        const { identifier } = await lockUserByIds(trx, site, ids)
        return { identifier, consents: await findConsents(trx, { site, identifier }) }
      },
    )
  },
}
