import { startCleanup } from '#runtime'
import type { Deps } from './deps.ts'
import { deleteExpiredAssociations } from './store/association-tokens.ts'
import { deleteExpiredCodes } from './store/authorization-codes.ts'
import { deleteExpiredDataDeletions } from './store/data-deletions.ts'
import { deleteExpiredOneTimeTokens } from './store/one-time-tokens.ts'
import { deleteExpiredIdTokens } from './store/used-id-tokens.ts'

/** Periodically deletes expired codes, tokens, used ID Tokens and deletion confirmations, until disposed. */
export function startTokenCleanup({ knex, logger, registry }: Pick<Deps, 'knex' | 'logger' | 'registry'>): Disposable {
  const cleanup = () =>
    Promise.all([
      deleteExpiredCodes(knex),
      deleteExpiredAssociations(knex),
      deleteExpiredOneTimeTokens(knex),
      deleteExpiredDataDeletions(knex),
      deleteExpiredIdTokens(knex),
    ])
  return startCleanup('tokens', cleanup, { logger, registry })
}
