import { builtInProviders, configuredName } from '#contracts'
import { createGauge, repeatInBackground } from '#runtime'
import type { Deps } from '../../deps.ts'
import { countReauthNeeded } from '../../store/token-refreshes.ts'
import { toMetricLabel } from '../../usage/metric-label.ts'

const countIntervalMs = 60_000

/** Counts, now and every minute until disposed, the credentials that need a new login of the end user. */
export function startReauthMetrics({ knex, registry, logger }: Pick<Deps, 'knex' | 'registry' | 'logger'>): Disposable {
  const gauge = createGauge(registry, 'sociallogin_credentials_needing_reauth')
  const setCounts = async () => {
    const counts = new Map<string, number>([...builtInProviders, configuredName].map((label) => [label, 0]))
    for (const { provider, count } of await countReauthNeeded(knex)) {
      const label = toMetricLabel(provider)
      counts.set(label, (counts.get(label) ?? 0) + count)
    }
    for (const [provider, total] of counts) gauge.set({ provider }, total)
  }
  return repeatInBackground(setCounts, {
    intervalMs: countIntervalMs,
    logger,
    failure: 'credentials that need reauthentication not counted; retrying in a minute',
  })
}
