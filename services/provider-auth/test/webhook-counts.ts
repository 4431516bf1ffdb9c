import type { RunningService } from '#runtime'

type Replica = RunningService<unknown>

/** Sends webhooks of a provider; returns how many the replica counted meanwhile, by `<kind> <outcome>`. */
export async function countWebhooks(
  replica: Replica,
  provider: string,
  send: () => Promise<void>,
): Promise<Record<string, number>> {
  const before = await readCounts(replica, provider)
  await send()
  const after = await readCounts(replica, provider)
  const growth = [...after].map(([kind, count]): [string, number] => [kind, count - (before.get(kind) ?? 0)])
  return Object.fromEntries(growth.filter(([, count]) => count !== 0))
}

async function readCounts({ operations_port }: Replica, provider: string): Promise<Map<string, number>> {
  const metrics = await (await fetch(`http://localhost:${operations_port}/metrics`)).text()
  const lines = metrics.matchAll(/^sociallogin_provider_webhooks_total\{([^}]*)\} (\d+)$/gm)
  const counts = [...lines].flatMap(([, labels = '', count]): [string, number][] => {
    const label = (name: string) => new RegExp(`${name}="(\\w+)"`).exec(labels)?.[1]
    return label('provider') === provider ? [[`${label('kind')} ${label('outcome')}`, Number(count)]] : []
  })
  return new Map(counts)
}
