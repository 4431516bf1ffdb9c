import { Gauge } from 'prom-client'
import { providers } from '#contracts'
import type { Deps } from '../deps.ts'
import { countNeedingReauth } from '../store/renewals.ts'

const count_every_ms = 60_000

/** Counts for the metrics, now and every minute until disposed, the credentials that only a login of the person can renew. */
export function startCountingReauth({
  knex,
  registry,
  logger,
}: Pick<Deps, 'knex' | 'registry' | 'logger'>): Disposable {
  const gauge = new Gauge({
    name: 'credentials_needing_reauth',
    help: 'Stored credentials whose tokens only a login of the person can renew; the same at every replica.',
    labelNames: ['provider'],
    registers: [registry],
  })
  const count = async () => {
    try {
      const found = new Map((await countNeedingReauth(knex)).map((row) => [row.provider, row.count]))
      for (const provider of providers) gauge.set({ provider }, found.get(provider) ?? 0)
    } catch (error) {
      logger.warn({ error }, 'credentials that need a login are not counted')
    }
  }
  void count()
  const timer = setInterval(count, count_every_ms).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
