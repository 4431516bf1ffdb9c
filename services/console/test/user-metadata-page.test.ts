import { expect, test } from 'vitest'
import { createSitePageOpener } from './pages-browser.ts'
import { createUsageFixture } from './usage-fixture.ts'

const stage = createUsageFixture()
const openSitePage = createSitePageOpener(stage)

async function createUser(metadata: { user_metadata?: object; app_metadata?: object }): Promise<string> {
  const { identity, call } = stage.serviceStack
  const { site } = stage.site
  const { user } = await identity.createUser({ site, links: [] }, call())
  await changeMetadata(user.identifier, metadata)
  return user.identifier
}

async function changeMetadata(identifier: string, metadata: { user_metadata?: object; app_metadata?: object }) {
  const { identity, call } = stage.serviceStack
  const parts = Object.fromEntries(Object.entries(metadata).map(([part, value]) => [part, { ...value }]))
  await identity.changeMetadata({ site: stage.site.site, identifier, ...parts, replace: true }, call())
}

function readMetadata(identifier: string) {
  const { identity, call } = stage.serviceStack
  return identity.readMetadata({ site: stage.site.site, identifier }, call())
}

test('metadata is changed, errors name the line, and a change in the meantime is shown', async () => {
  const identifier = await createUser({ user_metadata: { language: 'ja' }, app_metadata: { plan: 'free' } })
  const page = await openSitePage(`/users/${identifier}`)
  const section = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Metadata' }) })
  const [own, ofServer] = [section.getByLabel('user_metadata'), section.getByLabel('app_metadata')]
  expect(await own.inputValue()).toBe('{\n  "language": "ja"\n}')
  const save = () => section.getByRole('button', { name: 'Save' }).click()

  await own.fill('{\n  "language": "ja",\n}')
  await save()
  await section.getByText('Line 3 is not valid JSON.').waitFor()
  await own.fill('{\n  "height": 1.23456789012345678\n}')
  await save()
  await section.getByText('Line 2 has a number with more digits').waitFor()
  await own.fill('{ "large": 1e20 }')
  await save()
  await section.getByText('must have no whole numbers beyond').waitFor()
  expect(await readMetadata(identifier)).toMatchObject({ revision: 1 })

  await changeMetadata(identifier, { app_metadata: { plan: 'premium' } })
  await own.fill('{"language": "en"}')
  await save()
  const conflict = section.getByRole('alert').filter({ hasText: 'Someone else changed this' })
  expect(await conflict.textContent()).toContain('"plan": "premium"')
  expect(await readMetadata(identifier)).toMatchObject({ user_metadata: { language: 'ja' }, revision: 2 })
  await conflict.getByRole('button', { name: 'Apply these changes' }).click()
  expect(await ofServer.inputValue()).toContain('premium')
  await save()
  await expect.poll(() => readMetadata(identifier)).toMatchObject({ user_metadata: { language: 'en' }, revision: 3 })
  await ofServer.fill('')
  await save()
  await expect.poll(() => readMetadata(identifier)).toMatchObject({ app_metadata: {}, revision: 4 })
})

test('the preview of a merge shows the merged metadata and consents', async () => {
  const destination = await createUser({ user_metadata: { language: 'ja' } })
  const source = await createUser({ user_metadata: { language: 'en', color: 'red' }, app_metadata: { plan: 'gold' } })
  const { identity, call } = stage.serviceStack
  const answers = [{ document: 'newsletter', version: 3, accepted: true }]
  await identity.recordConsents({ site: stage.site.site, identifier: source, answers }, call())
  const page = await openSitePage(`/users/${destination}`)
  await page.getByRole('button', { name: 'Merge users' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Identifier of the user').fill(source)
  await dialog.getByRole('button', { name: 'Preview' }).click()
  const merged = dialog.locator('section').filter({ has: page.getByRole('heading', { name: 'Merged metadata' }) })
  expect(JSON.parse((await merged.getByLabel('user_metadata').textContent()) ?? '')).toEqual({
    language: 'ja',
    color: 'red',
  })
  expect(JSON.parse((await merged.getByLabel('app_metadata').textContent()) ?? '')).toEqual({ plan: 'gold' })
  const consents = dialog.getByRole('table', { name: 'Consents' })
  expect(await consents.getByRole('row', { name: 'newsletter' }).textContent()).toContain('Accepted')
})
