import type { Provider } from '#contracts'
import { newToken } from '#runtime'
import { readLinkData } from '#testing'
import { upsertCredential } from '../store/credentials.ts'
import type { Logins } from './logins.ts'

/** Creates a user with an account at a provider, its credential and its profile, as after a login. */
export async function createWebhookUser(
  logins: Logins,
  provider: Provider,
  { recorded_at = new Date(Date.now() - 5_000), single = true } = {},
) {
  const { serviceStack, site, knex, encryptor } = logins
  const providerUserId = newToken('account-')
  const links = [{ provider, provider_user_id: providerUserId }]
  if (!single) links.push({ provider: 'portal', provider_user_id: newToken('account-') })
  const { user, links: linked } = await serviceStack.identity.createUser({ site, links }, logins.serviceStack.call())
  const linkId = linked.find((link) => link.provider === provider)?.link_id ?? ''
  const link = { site, provider, link_id: linkId }
  const tokens = { access_token: 'a', access_secret: null, refresh_token: 'r', expires_at: null }
  await knex.transaction((trx) =>
    upsertCredential(trx, encryptor, { ...link, ...tokens, provider_user_id: providerUserId, recorded_at }),
  )
  const data = { profile: { user_name: 'Taro' }, follow: null, email: [], phone: [] }
  const obtainedAt = recorded_at.toISOString()
  await serviceStack.profile.recordProviderData(
    { ...link, identifier: user.identifier, data, obtained_at: obtainedAt },
    logins.serviceStack.call(),
  )
  return { identifier: user.identifier, provider_user_id: providerUserId, provider }
}
export type LinkedUser = Awaited<ReturnType<typeof createWebhookUser>>
export type WebhookAccount = Pick<LinkedUser, 'provider_user_id'>

/** Reads the state of a user's account. */
export async function readState(logins: Logins, { identifier, provider }: LinkedUser) {
  const { serviceStack, site } = logins
  const user = { site, identifier }
  const [{ links, credentials }, { profile }] = await Promise.all([
    readLinkData(serviceStack, user),
    serviceStack.profile.readProfile(user, logins.serviceStack.call()),
  ])
  return {
    linked: links.some((link) => link.provider === provider),
    credential: credentials[provider] !== undefined,
    profile: profile.user_name === 'Taro',
  }
}
export const untouched = { linked: true, credential: true, profile: true }
