import { allProviders } from '#contracts'
import { createGauge, repeatInBackground } from '#runtime'
import type { Deps } from '../../deps.ts'
import { countReauthNeeded } from '../../store/token-refreshes.ts'

const countIntervalMs = 60_000

/** Counts, now and every minute until disposed, the credentials that need a new login of the end user. */
export function startReauthMetrics({ knex, registry, logger }: Pick<Deps, 'knex' | 'registry' | 'logger'>): Disposable {
  const gauge = createGauge(registry, 'sociallogin_credentials_needing_reauth')
  const count = async () => {
    const countsByProvider = new Map((await countReauthNeeded(knex)).map((row) => [row.provider, row.count]))
    for (const provider of allProviders) gauge.set({ provider }, countsByProvider.get(provider) ?? 0)
  }
  return repeatInBackground(count, {
    intervalMs: countIntervalMs,
    logger,
    failure: 'credentials that need reauthentication not counted; retrying in a minute',
  })
}
