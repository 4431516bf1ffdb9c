import { randomUUID } from 'node:crypto'
import type { Provider } from '#contracts'
import type { SharedHarness } from './harness.ts'

/** The actions of tests of links and merges, over the bus, at one site. */
export function createUserActions({ identity, call }: Pick<SharedHarness, 'identity' | 'call'>, site: number) {
  const account = (provider: Provider, providerUserId: string = randomUUID()) => ({
    provider,
    provider_user_id: providerUserId,
  })
  return {
    account,
    /** Creates a user with a new account at each provider. */
    create: async (providers: readonly Provider[] = [], primaryKey?: string) => {
      const links = providers.map((provider) => account(provider))
      const mapping = primaryKey === undefined ? {} : { primary_key: primaryKey }
      const { user } = await identity.createUser({ site, links, ...mapping }, call())
      return { identifier: user.identifier, links }
    },
    resolve: (identifier: string) => identity.resolveUser({ site, identifier }, call()),
    providersOf: async (identifier: string) =>
      (await identity.resolveUser({ site, identifier }, call())).links.map(({ provider }) => provider).toSorted(),
    login: (login: { provider: Provider; provider_user_id: string }) =>
      identity.recordLogin({ site, login: randomUUID(), ...login }, call()),
    link: (identifier: string, linked: { provider: Provider; provider_user_id: string }) =>
      identity.linkAccount({ site, identifier, ...linked }, call()),
    unlink: (
      identifier: string,
      providers: Provider[],
      wish: { nowarn?: boolean; nomerge?: boolean; command?: string } = {},
    ) => identity.unlinkProviders({ site, identifier, providers, nowarn: false, nomerge: false, ...wish }, call()),
    merge: (source: string, destination: string, wish: { nomerge?: boolean; command?: string } = {}) =>
      identity.mergeUsers(
        { site, source: { identifier: source }, destination: { identifier: destination }, nomerge: false, ...wish },
        call(),
      ),
    remove: (identifier: string) => identity.deleteUser({ site, identifier }, call()),
  }
}
export type UserActions = ReturnType<typeof createUserActions>

/** `ok`, or the name of the fault; rethrows other errors. */
export async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'ok'
  } catch (error) {
    const fault: unknown = error instanceof Error && Reflect.get(error, 'fault')
    if (typeof fault !== 'string') throw error
    return fault
  }
}
