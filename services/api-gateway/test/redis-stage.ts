import { expect } from 'vitest'
import { type SeededSite, type ServiceStack, seedSite, startStack } from '#testing'
import { createCaller } from './caller.ts'

export const limit = 2_000
const requestersAtOnce = 20

/**
 * A stack whose services use Redis at a URL, and a site with a limit.
 *
 * @param settings of the gateways
 */
export async function startWith(
  redisUrl: string,
  stack: AsyncDisposableStack,
  settings: Readonly<Record<string, string>> = {},
) {
  const environment = { REDIS_URL: redisUrl }
  const serviceStack: ServiceStack = stack.use(
    await startStack({
      gateways: 2,
      // Longer than a test takes on a busy machine.
      gatewayEnvironment: { ...environment, RATE_WINDOW_SECONDS: '600', ...settings },
      providerAuthEnvironment: environment,
    }),
  )
  const site: SeededSite = await seedSite(serviceStack)
  const { identity, call, gateways } = serviceStack
  await identity.changeSite({ site: site.site, requests_per_window: limit }, call())
  const callers = gateways.map((address) => createCaller(address, site.api_key))
  /** A request at each gateway: which were admitted, and by a gateway alone. */
  const callAll = async () => {
    const responses = await Promise.all(callers.map((caller) => caller.get('appinfo')))
    return responses.map(({ status, headers }) => ({
      status,
      limit: headers.get('x-ratelimit-limit'),
      mode: headers.get('x-ratelimit-mode'),
    }))
  }
  const counted = callers.map(() => ({ status: 200, limit: String(limit), mode: null }))
  const whenCountedInRedis = () => expect.poll(callAll).toEqual(counted)
  return { serviceStack, site, callAll, whenCountedInRedis }
}

/** Calls both gateways until more requests were sent than the limit allows. @returns how often each status was returned */
export async function useUpLimit(
  callAll: () => Promise<{ readonly status: number }[]>,
): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  const press = async () => {
    for (let count = 0; count < limit / requestersAtOnce; count++)
      for (const { status } of await callAll()) counts[status] = (counts[status] ?? 0) + 1
  }
  await Promise.all(Array.from({ length: requestersAtOnce }, press))
  return counts
}
