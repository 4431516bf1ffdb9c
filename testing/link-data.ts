import type { Link, Provider } from '#contracts'
import type { SharedStack } from './stack.ts'

/**
 * Reads the data that the services store for a user's links, by provider.
 *
 * @param former links of a user who was deleted
 */
export async function readLinkData(
  { identity, provider_auth, profile, friendship, call }: SharedStack,
  user: { readonly site: number; readonly identifier: string },
  former?: readonly Link[],
) {
  const links = former ?? (await identity.resolveUser(user, call())).links
  const linkIds = links.map(({ link_id }) => link_id)
  const messaging = links.find(({ provider }) => provider === 'messaging')
  const [{ credentials }, { data }, friend] = await Promise.all([
    provider_auth.readCredentials({ site: user.site, link_ids: linkIds }, call()),
    profile.readProviderData({ site: user.site, link_ids: linkIds }, call()),
    messaging && friendship.readStatus({ site: user.site, link_id: messaging.link_id }, call()),
  ])
  const byProvider = <T>(byLink: Readonly<Record<string, T>>): Partial<Record<Provider, T>> =>
    Object.fromEntries(
      links.flatMap(({ link_id, provider }) => (link_id in byLink ? [[provider, byLink[link_id]]] : [])),
    )
  return { links, credentials: byProvider(credentials), data: byProvider(data), friend }
}
