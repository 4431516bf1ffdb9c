import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '#http'
import type { Render } from '../pages.ts'
import { isForBrowsers, type SimulatedProvider } from '../providers/provider.ts'
import type { Scenarios } from './scenarios.ts'

interface Parts {
  readonly scenarios: Scenarios
  readonly providers: readonly SimulatedProvider[]
  readonly render: Render
}

/** Applies the scenarios of a provider's servers (middleware). Pages for end users stay as they are. */
export function applyServerScenarios({ scenarios, providers, render }: Parts) {
  return async (ctx: Context, next: () => Promise<unknown>): Promise<void> => {
    const endpoint = findEndpoint(ctx, providers)
    if (endpoint === undefined) {
      await next()
      return
    }
    const { provider, route } = endpoint
    const active = scenarios.activeFor(provider.name)
    const seconds = active.get('slow')?.seconds
    if (seconds != null) await Promise.race([sleep(seconds * 1_000, undefined, { ref: false }), once(ctx.res, 'close')])

    if (active.has('hang_up')) {
      ctx.respond = false
      ctx.res.destroy()
    } else if (active.has('unavailable')) {
      ctx.status = 503
      ctx.body = { error: 'temporarily_unavailable', error_description: 'Try again later.' }
    } else if (active.has('rate_limited')) {
      ctx.status = 429
      ctx.set('Retry-After', '30')
      ctx.body = { error: 'temporarily_unavailable', error_description: 'Too many requests.' }
    } else if (active.has('html_error')) {
      const message = 'Something went wrong. This page has the status 200.'
      render.errorPage(ctx, 200, { heading: 'Sorry', message, provider })
    } else {
      await next()
      if (route === 'Discovery' && active.has('wrong_discovery')) {
        ctx.body = Object.assign({}, ctx.body, { issuer: 'https://issuer.invalid' })
      }
    }
  }
}

/** The provider and its route, if it is an endpoint for servers. */
function findEndpoint(
  { path, method }: Context,
  providers: readonly SimulatedProvider[],
): { provider: SimulatedProvider; route: string } | undefined {
  const provider = providers.find(({ name }) => path.startsWith(`/${name}/`))
  const route = provider?.routes.match(path, method).pathAndMethod.find(({ name }) => name)?.name
  if (provider === undefined || route === undefined || isForBrowsers(route)) return undefined
  return { provider, route }
}
