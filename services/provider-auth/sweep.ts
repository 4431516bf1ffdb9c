import { startSweeping } from '#runtime'
import type { Deps } from './deps.ts'
import { removeOutdatedAssociations } from './store/association-tokens.ts'
import { removeOutdatedCodes } from './store/authorization-codes.ts'
import { removeOutdatedDataDeletions } from './store/data-deletions.ts'
import { removeOutdatedOneTimeTokens } from './store/one-time-tokens.ts'

/** Removes what nobody can use any more, until disposed. */
export function startSweep({ knex, logger, registry }: Pick<Deps, 'knex' | 'logger' | 'registry'>): Disposable {
  const sweep = () =>
    Promise.all([
      removeOutdatedCodes(knex),
      removeOutdatedAssociations(knex),
      removeOutdatedOneTimeTokens(knex),
      removeOutdatedDataDeletions(knex),
    ])
  return startSweeping('tokens', sweep, { logger, registry })
}
