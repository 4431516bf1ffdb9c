import { beforeAll, expect, test } from 'vitest'
import { deviceKey, passClockSteps, readLinkData, registerAtSimulator } from '#testing'
import { logInWith } from './browser.ts'
import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site, application } = createSiteFixture()
beforeAll(async () => {
  const { client_id, provider_callback, webhook_uris } = site.providers.device
  await registerAtSimulator(serviceStack.simulator, {
    provider: 'device',
    client_id,
    redirect_uris: [provider_callback],
    notification_uri: webhook_uris.events ?? '',
    public_key: deviceKey.public_key,
    ...deviceKey.options,
  })
})

/** A change that an end user makes in the account settings; returns the status of our response to the webhook. */
async function change(event: string, user: string): Promise<unknown> {
  const body = new URLSearchParams({ user, client_id: site.providers.device.client_id })
  const response = await fetch(`${serviceStack.simulator}/device/account/${event}`, { method: 'POST', body })
  return response.json()
}

async function logInAs(name: string) {
  const callback = await logInWith(site, 'device', { user: name })
  return { site: site.site, identifier: await application.userOf(callback) }
}

async function readLinks(user: { site: number; identifier: string }) {
  const { links, credentials } = await readLinkData(serviceStack, user)
  return { links: links.map(({ provider }) => provider), credentials: Object.keys(credentials) }
}

test('device: an end user who revokes the consent at the provider is the same user at the next login', async () => {
  const user = await logInAs('Revokes It')
  expect(await change('consent-revoked', 'Revokes It')).toMatchObject({ notified: 200 })
  expect(await readLinks(user)).toEqual({ links: ['device'], credentials: [] })
  await passClockSteps()
  expect(await logInAs('Revokes It')).toEqual(user)
  expect(await readLinks(user)).toEqual({ links: ['device'], credentials: ['device'] })
})

test.each(['account-delete', 'account-deleted'])('device: %s removes the link, and the user stays', async (event) => {
  const user = await logInAs(`Ends by ${event}`)
  expect(await change(event, `Ends by ${event}`)).toMatchObject({ notified: 200 })
  expect(await readLinks(user)).toEqual({ links: [], credentials: [] })
})

test('device: dissociate also revokes the consent at the provider', async () => {
  const user = await logInAs('Is Dissociated')
  const unlinking = { ...user, providers: ['device' as const], nowarn: true, nomerge: false }
  await serviceStack.identity.unlinkProviders(unlinking, serviceStack.call())
  // With a consent, the error differs: the address is not a relay address.
  const changeEmail = () => change('email-disabled', 'Is Dissociated')
  await expect.poll(changeEmail).toMatchObject({ error: 'not_found' })
})
