import { Jimp } from 'jimp'
import { expect, test } from 'vitest'
import { adminApi } from '#admin-api'
import { createSitePageOpener } from './pages-browser.ts'
import { createUsageFixture } from './usage-fixture.ts'

const stage = createUsageFixture()
const openSitePage = createSitePageOpener(stage)

async function readLook() {
  return adminApi.readLook.output.parse((await stage.request('GET', '/look')).body)
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
  const image = await new Jimp({ width: 1_200, height: 300, color: 0xb00020ff }).getBuffer('image/png')
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
}, 120_000)

test('an earlier version is published again', async () => {
  const { draft, revision } = await readLook()
  const change = { theme: { ...draft.theme, radius: 0 }, words: {}, publish: true }
  expect((await stage.request('PUT', '/look', change, revision)).status).toBe(200)
  const page = await openSitePage('/look')
  await page.getByRole('tab', { name: 'Versions' }).click()
  const published = (await readLook()).published_version ?? 0
  await page.getByRole('button', { name: `Publish again: Version ${published - 1}` }).click()
  await expect.poll(async () => (await readLook()).published_version).toBe(published + 1)
}, 120_000)

test.each([
  ['no picture', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/png'],
  ['a picture that would fill the memory', createPngHeader(30_000, 30_000), 'image/png'],
  ['a truncated picture', createPngHeader(10, 10), 'image/png'],
])('%s is rejected with the reason', async (_, content, type) => {
  const picture = `data:${type};base64,${content.toString('base64')}`
  const { status, body } = await stage.request('POST', '/look/pictures', { picture, use: 'logo' })
  expect(status).toBe(400)
  expect(body).toMatchObject({ error: { fields: [{ field: 'picture' }] } })
})

test('a picture is stored without what was hidden in it, and smaller', async () => {
  const image = await new Jimp({ width: 3_000, height: 3_000, color: 0x336699ff }).getBuffer('image/jpeg')
  const hidden = Buffer.concat([image, Buffer.from('<script>alert(1)</script>')])
  const picture = `data:image/jpeg;base64,${hidden.toString('base64')}`
  const stored = adminApi.uploadPicture.output.parse(
    (await stage.request('POST', '/look/pictures', { picture, use: 'logo' })).body,
  )
  const { body } = await stage.request('GET', `/look/pictures/${stored.picture}`)
  const [, base64 = ''] = adminApi.readPicture.output.parse(body).picture.split(',')
  const content = Buffer.from(base64, 'base64')
  expect(content.includes('<script>')).toBe(false)
  const { width, height } = await Jimp.read(content)
  expect([width, height]).toEqual([400, 400])
})

/** The beginning of a PNG, whose header says its size (PNG 11.2.2). */
function createPngHeader(width: number, height: number): Buffer {
  const header = Buffer.from('89504e470d0a1a0a0000000d49484452000000000000000008060000001f15c489', 'hex')
  header.writeUInt32BE(width, 16)
  header.writeUInt32BE(height, 20)
  return header
}
