import { Registry } from 'prom-client'
import { type Bus, serve } from '#bus'
import { contract, friendship, profile, providerAuth } from '#contracts'
import { logger } from './harness.ts'

/** The services that follow changes of users, as the bus shows them: they answer and tell what they were asked to do. */
export interface StandInFollowers extends AsyncDisposable {
  /** Each order's part, e.g. `profile.forgetUser`, and its input. */
  readonly asked: ({ readonly part: string } & Readonly<Record<string, unknown>>)[]
  /** Calls back at each question. */
  readonly onAsked: (react: () => void) => void
}

const [ofProfile, ofProviderAuth, ofFriendship] = [profile.procedures, providerAuth.procedures, friendship.procedures]
const contracts = {
  profile: contract('profile', {
    forgetUser: ofProfile.forgetUser,
    removeProviders: ofProfile.removeProviders,
    mergeUsers: ofProfile.mergeUsers,
  }),
  providerAuth: contract('providerAuth', {
    forgetUser: ofProviderAuth.forgetUser,
    removeProviders: ofProviderAuth.removeProviders,
    mergeUsers: ofProviderAuth.mergeUsers,
  }),
  friendship: contract('friendship', {
    forgetUser: ofFriendship.forgetUser,
    removeStatus: ofFriendship.removeStatus,
    mergeUsers: ofFriendship.mergeUsers,
  }),
}
type FollowerName = keyof typeof contracts

export async function serveFollowers(
  bus: Bus,
  names: readonly FollowerName[] = ['profile', 'providerAuth', 'friendship'],
): Promise<StandInFollowers> {
  const stack = new AsyncDisposableStack()
  const asked: StandInFollowers['asked'] = []
  const reactions: (() => void)[] = []
  const answer = (part: string) => async (input: object) => {
    asked.push({ part, ...input })
    for (const react of reactions) react()
    return {}
  }
  const tools = { logger, registry: new Registry() }
  const common = (name: FollowerName) => ({
    forgetUser: answer(`${name}.forgetUser`),
    mergeUsers: answer(`${name}.mergeUsers`),
  })
  for (const name of names) {
    const removeProviders = answer(`${name}.removeProviders`)
    const removeStatus = answer(`${name}.removeStatus`)
    stack.use(
      name === 'friendship'
        ? serve(bus, contracts.friendship, { ...common(name), removeStatus }, undefined, tools)
        : serve(bus, contracts[name], { ...common(name), removeProviders }, undefined, tools),
    )
  }
  await bus.connection.flush()
  return { asked, onAsked: (react) => reactions.push(react), [Symbol.asyncDispose]: () => stack.disposeAsync() }
}
