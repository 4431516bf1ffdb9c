import { beforeAll, expect, test } from 'vitest'
import { passClockSteps, readLinkData, registerAtSimulator } from '#testing'
import { logInWith } from './browser.ts'
import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site, application } = createSiteFixture()
beforeAll(async () => {
  const { client_id, client_secret, provider_callback, webhook_uris } = site.providers.social
  await registerAtSimulator(serviceStack.simulator, {
    provider: 'social',
    client_id,
    client_secret,
    redirect_uris: [provider_callback],
    deauthorize_uri: webhook_uris.deauthorize,
    data_deletion_uri: webhook_uris.data_deletion,
  })
})

/** Opens the simulated provider's settings page with a user's applications, and can remove one. */
async function openSettings(user: string, remove?: string): Promise<string> {
  const body = new URLSearchParams({ user, ...(remove !== undefined && { remove }) })
  return (await fetch(`${serviceStack.simulator}/social/settings`, { method: 'POST', body })).text()
}

async function logInAs(name: string) {
  const callback = await logInWith(site, 'social', { user: name })
  return { site: site.site, identifier: await application.userOf(callback) }
}

async function readLinks(user: { site: number; identifier: string }) {
  const [{ links, credentials }, { profile }] = await Promise.all([
    readLinkData(serviceStack, user),
    serviceStack.profile.readProfile(user, serviceStack.call()),
  ])
  return { links: links.map(({ provider }) => provider), credentials: Object.keys(credentials), profile }
}

test('social: a removed application deletes the credential, and the next login is the same user', async () => {
  const user = await logInAs('Removes It')
  expect(await readLinks(user)).toMatchObject({ credentials: ['social'], profile: { full_name: 'Removes It' } })

  const received = await openSettings('Removes It', site.providers.social.client_id)
  const [, page = ''] = /(https?:[^"&\s]+\/data_deletion\/\w+)/.exec(received.replaceAll('\\/', '/')) ?? []
  expect((await fetch(page)).status).toBe(200)
  const { links, credentials, profile } = await readLinks(user)
  expect({ links, credentials }).toEqual({ links: ['social'], credentials: [] })
  expect(profile.full_name ?? null).toBeNull()

  await passClockSteps()
  expect(await logInAs('Removes It')).toEqual(user)
  expect(await readLinks(user)).toMatchObject({ credentials: ['social'], profile: { full_name: 'Removes It' } })
})

test('social: dissociate removes the application at the provider, and the provider’s webhook then changes nothing', async () => {
  const user = await logInAs('Is Dissociated')
  const { client_id } = site.providers.social
  expect(await openSettings('Is Dissociated')).toContain(client_id)
  const unlinking = { ...user, providers: ['social' as const], nowarn: true, nomerge: false }
  await serviceStack.identity.unlinkProviders(unlinking, serviceStack.call())
  const listed = async () => (await openSettings('Is Dissociated')).includes(client_id)
  await expect.poll(listed).toBe(false)
  expect(await readLinks(user)).toMatchObject({ links: [], credentials: [] })
})
