import type { Deps } from './deps.ts'
import { removeOutdatedAssociations } from './store/association-tokens.ts'
import { removeOutdatedCodes } from './store/authorization-codes.ts'
import { removeOutdatedDataDeletions } from './store/data-deletions.ts'
import { removeOutdatedOneTimeTokens } from './store/one-time-tokens.ts'

const sweep_every_ms = 60_000

/** Removes what nobody can use any more, until disposed. */
export function startSweep({ knex, logger }: Pick<Deps, 'knex' | 'logger'>): Disposable {
  const sweep = () =>
    Promise.all([
      removeOutdatedCodes(knex),
      removeOutdatedAssociations(knex),
      removeOutdatedOneTimeTokens(knex),
      removeOutdatedDataDeletions(knex),
    ]).catch((error: unknown) => logger.warn({ error }, 'sweep failed'))
  const timer = setInterval(sweep, sweep_every_ms).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
