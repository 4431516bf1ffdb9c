import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '#http'
import type { Render } from '../pages.ts'
import { isForPeople, type SimulatedProvider } from '../providers/provider.ts'
import type { Behaviours } from './behaviours.ts'

interface Parts {
  readonly behaviours: Behaviours
  readonly providers: readonly SimulatedProvider[]
  readonly render: Render
}

/** Middleware that has a provider's servers behave as was chosen for it. Its pages for people stay as they are. */
export function troubleServers({ behaviours, providers, render }: Parts) {
  return async (ctx: Context, next: () => Promise<unknown>): Promise<void> => {
    const asked = askedOf(ctx, providers)
    if (asked === undefined) {
      await next()
      return
    }
    const { provider, route } = asked
    const in_force = behaviours.of(provider.name)
    const seconds = in_force.get('slow')?.seconds
    if (seconds != null) await Promise.race([sleep(seconds * 1_000, undefined, { ref: false }), once(ctx.res, 'close')])

    if (in_force.has('hang_up')) {
      ctx.respond = false
      ctx.res.destroy()
    } else if (in_force.has('unavailable')) {
      ctx.status = 503
      ctx.body = { error: 'temporarily_unavailable', error_description: 'Try again later.' }
    } else if (in_force.has('rate_limited')) {
      ctx.status = 429
      ctx.set('Retry-After', '30')
      ctx.body = { error: 'temporarily_unavailable', error_description: 'Too many requests.' }
    } else if (in_force.has('html_error')) {
      const message = 'Something went wrong. This page came with the status of a success.'
      render.refusal(ctx, 200, { heading: 'Sorry', message, provider })
    } else {
      await next()
      if (route === 'Discovery' && in_force.has('wrong_discovery')) {
        ctx.body = Object.assign({}, ctx.body, { issuer: 'https://issuer.invalid' })
      }
    }
  }
}

/** The provider and its route, when it is one for servers. */
function askedOf(
  { path, method }: Context,
  providers: readonly SimulatedProvider[],
): { provider: SimulatedProvider; route: string } | undefined {
  const provider = providers.find(({ name }) => path.startsWith(`/${name}/`))
  const route = provider?.routes.match(path, method).pathAndMethod.find(({ name }) => name)?.name
  if (provider === undefined || route === undefined || isForPeople(route)) return undefined
  return { provider, route }
}
