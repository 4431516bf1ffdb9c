import { Registry } from 'prom-client'
import { type Bus, serve } from '#bus'
import { contract, friendship, profile, providerAuth } from '#contracts'
import { logger } from './harness.ts'

/** The services that follow a deletion, as the bus shows them: they answer and tell who they were asked to forget. */
export interface StandInFollowers extends AsyncDisposable {
  readonly asked: { readonly service: string; readonly site: number; readonly identifier: string }[]
  /** Calls back at each question. */
  readonly onAsked: (react: () => void) => void
}

type FollowerName = 'profile' | 'providerAuth' | 'friendship'

const contracts = {
  profile: contract('profile', { forgetUser: profile.procedures.forgetUser }),
  providerAuth: contract('providerAuth', { forgetUser: providerAuth.procedures.forgetUser }),
  friendship: contract('friendship', { forgetUser: friendship.procedures.forgetUser }),
}

export async function serveFollowers(
  bus: Bus,
  names: readonly FollowerName[] = ['profile', 'providerAuth', 'friendship'],
): Promise<StandInFollowers> {
  const stack = new AsyncDisposableStack()
  const asked: StandInFollowers['asked'] = []
  const reactions: (() => void)[] = []
  for (const service of names) {
    const forgetUser = async (user: { site: number; identifier: string }) => {
      asked.push({ service, ...user })
      for (const react of reactions) react()
      return {}
    }
    stack.use(serve(bus, contracts[service], { forgetUser }, undefined, { logger, registry: new Registry() }))
  }
  await bus.connection.flush()
  return { asked, onAsked: (react) => reactions.push(react), [Symbol.asyncDispose]: () => stack.disposeAsync() }
}
