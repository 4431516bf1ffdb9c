import { providers } from '#contracts'
import { createGauge } from '#runtime'
import type { Deps } from '../deps.ts'
import { countNeedingReauth } from '../store/renewals.ts'

const countEveryMs = 60_000

/** Counts for the metrics, now and every minute until disposed, the credentials that only a login of the person can renew. */
export function startCountingReauth({
  knex,
  registry,
  logger,
}: Pick<Deps, 'knex' | 'registry' | 'logger'>): Disposable {
  const gauge = createGauge(registry, 'sociallogin_credentials_needing_reauth')
  const count = async () => {
    try {
      const found = new Map((await countNeedingReauth(knex)).map((row) => [row.provider, row.count]))
      for (const provider of providers) gauge.set({ provider }, found.get(provider) ?? 0)
    } catch (error) {
      logger.warn({ error }, 'credentials that need a login are not counted')
    }
  }
  void count()
  const timer = setInterval(count, countEveryMs).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
