import { describe, expect, test } from 'vitest'
import { newToken } from '#runtime'
import { errorResponses } from './caller.ts'
import { timestampPattern } from './patterns.ts'
import { createTestUser, logInAs, setStage } from './stage.ts'

const stage = setStage()

/** Providers that are closed to new use; their links still exist. */
const older = ['search_legacy', 'shopping'] as const
type Older = (typeof older)[number]

/** Creates a user with such links and, by default, a messaging link. */
async function userWith(
  links: Partial<Record<Older | 'messaging', string>> = {
    messaging: newToken('U'),
    search_legacy: newToken(''),
    shopping: newToken(''),
  },
): Promise<string> {
  const { identity, call } = stage.serviceStack
  const entries = (['messaging', ...older] as const).flatMap((provider) => {
    const providerUserId = links[provider]
    return providerUserId === undefined ? [] : [{ provider, provider_user_id: providerUserId }]
  })
  const { user } = await identity.createUser({ site: stage.site.site, links: entries }, call())
  return user.identifier
}

const linked = async (identifier: string) => (await stage.web_api.get('providers_of_user', { identifier })).body
const attributes = async (identifier: string) => (await stage.web_api.get('user_attribute', { identifier })).body

describe('links of search_legacy and shopping', () => {
  test('are listed and read, with the fields of the specification', async () => {
    const identifier = await userWith({ search_legacy: '117', shopping: 's-1' })
    expect(await linked(identifier)).toEqual({ status: 'ok', providers: ['search_legacy', 'shopping'] })
    expect(await attributes(identifier)).toMatchObject({ user: { identifier, login_count: 0 } })
    const { providers } = (await attributes(identifier)) as { providers: unknown }
    expect(providers).toEqual({
      search_legacy: {
        search_legacy_id: '117',
        access_token: null,
        expires_at: null,
        friendship_updated_at: null,
        created_at: timestampPattern,
        updated_at: timestampPattern,
      },
      shopping: { shopping_id: 's-1', created_at: timestampPattern, updated_at: timestampPattern },
    })
  })

  test('have an empty profile', async () => {
    const identifier = await userWith()
    const { status, body } = await stage.web_api.get('profile_from_providers', {
      identifier,
      target_provider: older.join(),
    })
    const nothing = { profile: {}, follow: { followed_by: null, following: null }, email: [], phone: [] }
    expect({ status, body }).toEqual({ status: 200, body: { status: 'ok', search_legacy: nothing, shopping: nothing } })
  })

  test.each(older)('of %s are dissociated, as the last one only with nowarn', async (provider) => {
    const dissociate = (identifier: string, flags = {}) =>
      stage.web_api.get('dissociate', { identifier, target_provider: provider, ...flags })
    const identifier = await userWith()
    expect(await dissociate(identifier)).toMatchObject({ status: 200, body: { dissociated: [provider] } })
    expect(await linked(identifier)).toMatchObject({
      providers: ['messaging', ...older.filter((it) => it !== provider)],
    })
    expect(await dissociate(identifier)).toMatchObject(errorResponses.provider_not_linked)

    const last = await userWith({ [provider]: newToken('') })
    expect(await dissociate(last)).toMatchObject(errorResponses.last_provider)
    expect(await dissociate(last, { nowarn: 'y' })).toMatchObject({ status: 200 })
    expect(await linked(last)).toMatchObject({ providers: [] })
  })

  test('are moved by a merge and deleted with their user', async () => {
    const sourceIdentifier = await userWith({ search_legacy: newToken(''), shopping: newToken('') })
    const destIdentifier = await userWith({ messaging: newToken('U') })
    const merged = await stage.web_api.get('merge_user', {
      source_identifier: sourceIdentifier,
      dest_identifier: destIdentifier,
    })
    expect(merged.status).toBe(200)
    expect(await linked(destIdentifier)).toMatchObject({ providers: ['messaging', ...older] })
    expect((await stage.web_api.get('delete_user', { identifier: destIdentifier })).status).toBe(200)
    expect(await stage.web_api.get('providers_of_user', { identifier: destIdentifier })).toMatchObject(
      errorResponses.entity_not_found,
    )
  })

  test('cannot be created: the site has no such provider, a new user is not linked, and no token links one', async () => {
    const { providers } = (await stage.web_api.get('providers')).body as { providers: string[] }
    for (const provider of older) {
      expect(providers).not.toContain(provider)
      const identifier = await createTestUser(stage.web_api, { [`provider_user_ids[${provider}]`]: newToken('') })
      expect(await linked(identifier)).toMatchObject({ providers: [] })
      const parameters = { identifier, target_provider: provider }
      expect(await stage.web_api.get('association_token', parameters)).toMatchObject(
        errorResponses.provider_settings_incomplete,
      )
    }
  })
})

test('a login through search finds the user whose account is linked as search_legacy, and shows both', async () => {
  const { identity, call } = stage.serviceStack
  const before = await logInAs(stage, 'Long Ago', 'search')
  const { links } = await identity.resolveUser({ site: stage.site.site, identifier: before }, call())
  const account = links[0]?.provider_user_id ?? ''
  await stage.web_api.get('delete_user', { identifier: before })

  const identifier = await userWith({ search_legacy: account })
  expect(await logInAs(stage, 'Long Ago', 'search')).toBe(identifier)
  expect(await attributes(identifier)).toMatchObject({
    user: { login_count: 1, last_logged_in_provider: 'search' },
    providers: { search: { search_id: account }, search_legacy: { search_legacy_id: account } },
  })
})
