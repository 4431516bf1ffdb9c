import { startCleanup } from '#runtime'
import type { Deps } from './deps.ts'
import { deleteOutdatedAssociations } from './store/association-tokens.ts'
import { deleteOutdatedCodes } from './store/authorization-codes.ts'
import { deleteOutdatedDataDeletions } from './store/data-deletions.ts'
import { deleteOutdatedOneTimeTokens } from './store/one-time-tokens.ts'

/** Removes what nobody can use any more, until disposed. */
export function startSweep({ knex, logger, registry }: Pick<Deps, 'knex' | 'logger' | 'registry'>): Disposable {
  const sweep = () =>
    Promise.all([
      deleteOutdatedCodes(knex),
      deleteOutdatedAssociations(knex),
      deleteOutdatedOneTimeTokens(knex),
      deleteOutdatedDataDeletions(knex),
    ])
  return startCleanup('tokens', sweep, { logger, registry })
}
