import { expect, test } from 'vitest'
import { type Provider, providerNames } from '#contracts'
import { credentialObjects, showCredentials } from './credentials.ts'

const names = providerNames()
const at = '2026-05-12T03:21:45Z'
const friend = { friendship_status: null, friendship_status_updated_at: null }

/** The credential object of a provider with tokens of these lengths. */
function show(
  provider: Provider,
  lengths: Partial<
    Record<'access_token' | 'access_secret' | 'refresh_token' | `client_${'access' | 'refresh'}_token`, number>
  >,
) {
  const { access_token = 1, access_secret = 1, refresh_token = 1 } = lengths
  const { client_access_token = 1, client_refresh_token = 1 } = lengths
  const tokens = {
    access_token: 'a'.repeat(access_token),
    access_secret: 's'.repeat(access_secret),
    refresh_token: 'r'.repeat(refresh_token),
    client_access_token: 'a'.repeat(client_access_token),
    client_access_secret: 's',
    client_refresh_token: 'r'.repeat(client_refresh_token),
  }
  const times = { expires_at: null, client_expires_at: null, created_at: at, updated_at: at }
  const stored = { link: { ...tokens, ...times } }
  const links = [{ link_id: 'link', provider, provider_user_id: 'person', created_at: at }]
  const shown = showCredentials(links, { stored, friend }, names)
  expect(credentialObjects(names).parse(shown)).toEqual(shown)
  return shown[provider]
}

test.each([
  ['messaging', 'access_token', 255],
  ['messaging', 'refresh_token', 255],
  ['portal', 'access_token', 65_535],
  ['portal', 'refresh_token', 255],
  ['portal', 'client_access_token', 65_535],
  ['portal', 'client_refresh_token', 255],
  ['social', 'access_token', 255],
  ['search', 'access_token', 65_535],
  ['search', 'refresh_token', 255],
  ['search_legacy', 'access_token', 65_535],
  ['microblog', 'access_token', 255],
  ['microblog', 'access_secret', 255],
] as const)('%s: %s is whole up to %i characters, and null beyond, never cut', (provider, field, longest) => {
  expect(show(provider, { [field]: longest })?.[field]).toHaveLength(longest)
  const beyond = show(provider, { [field]: longest + 1 })
  expect(beyond).toMatchObject({ [field]: null, updated_at: at })
  for (const other of ['access_token', 'refresh_token'])
    if (other !== field && beyond !== undefined && other in beyond) expect(beyond[other]).toHaveLength(1)
})
