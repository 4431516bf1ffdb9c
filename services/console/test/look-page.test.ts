import { expect, test } from 'vitest'
import { adminApi } from '#admin-api'
import { createSitePageOpener } from './pages-browser.ts'
import { drawPng } from './picture-files.ts'
import { createUsageFixture } from './usage-fixture.ts'

const stage = createUsageFixture()
const openSitePage = createSitePageOpener(stage)

async function readLook() {
  return adminApi.readLook.output.parse((await stage.request('GET', '/look')).body)
}

async function publishLook(radius: number): Promise<void> {
  const { draft, revision } = await readLook()
  const change = { theme: { ...draft.theme, radius }, words: {}, publish: true }
  expect((await stage.request('PUT', '/look', change, revision)).status).toBe(200)
}

/** The page that end users see first. */
async function openLoginPage(): Promise<string> {
  const { serviceStack, site } = stage
  const query = new URLSearchParams({
    client_id: site.client.client_id,
    redirect_uri: site.client.redirect_uri,
    response_type: 'code',
    scope: 'openid',
  })
  return (await fetch(`${serviceStack.auth}/oauth2/authorize?${query}`)).text()
}

test('colors, a logo and texts are shown in the preview, and to end users once they are published', async () => {
  const page = await openSitePage('/look')
  const preview = page.frameLocator('iframe[title="Preview"]')
  await preview.getByRole('heading', { name: /Log in to/ }).waitFor()

  const light = page.getByRole('region', { name: 'Light pages' })
  await light.getByLabel('Accent', { exact: true }).fill('#b00020')
  await light.getByLabel('Text', { exact: true }).fill('#cccccc')
  await page
    .getByText(/has a contrast of 1\.6:1 with the card; it needs 4\.5:1/)
    .first()
    .waitFor()
  await light.getByLabel('Text', { exact: true }).fill('#202020')

  await page.getByRole('tab', { name: 'Pictures' }).click()
  const image = drawPng(6_000, 1_500, [0xb0, 0x00, 0x20])
  const logo = page.getByRole('region', { name: 'Logo', exact: true })
  await logo.locator('input[type=file]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: image })
  await preview.locator('header img').waitFor()

  await page.getByRole('tab', { name: 'Texts' }).click()
  await page.getByLabel('Find a text').fill('choice.heading')
  await page.getByLabel('Log in to {application}').fill('Welcome to {application}')
  await preview.getByRole('heading', { name: /Welcome to/ }).waitFor()
  expect(await openLoginPage()).not.toContain('Welcome to')

  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByText('The look is published').waitFor()
  expect(await openLoginPage()).toMatch(/Welcome to[\s\S]*<\/h1>/)
  const { published } = await readLook()
  expect(published?.theme).toMatchObject({ header: 'logo', light: { accent: '#b00020', text: '#202020' } })
})

test('an earlier version is published again', async () => {
  for (const radius of [4, 0]) await publishLook(radius)
  const page = await openSitePage('/look')
  await page.getByRole('tab', { name: 'Versions' }).click()
  const published = (await readLook()).published_version ?? 0
  await page.getByRole('button', { name: `Publish again: Version ${published - 1}` }).click()
  await expect.poll(async () => (await readLook()).published_version).toBe(published + 1)
})
