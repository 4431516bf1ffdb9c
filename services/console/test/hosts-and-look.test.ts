import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { adminApi, type PictureUse, pictureUses } from '#admin-api'
import { decode, drawPixels, encodeJpeg, withOrientation } from './picture-files.ts'
import { createUsageFixture } from './usage-fixture.ts'

const stage = createUsageFixture()

const readLook = async () => adminApi.readLook.output.parse((await stage.request('GET', '/look')).body)
const readHosts = async () => adminApi.readSiteHosts.output.parse((await stage.request('GET', '/hosts')).body)

describe('hosts by the Admin API', () => {
  test('are claimed, checked with what is missing, and removed', async () => {
    expect((await stage.request('POST', '/hosts', { host: 'Login.Shop.Example' })).status).toBe(200)
    expect((await readHosts()).hosts).toMatchObject([
      { host: 'login.shop.example', purpose: 'login', state: 'claimed' },
    ])
    const { status, body } = await stage.request('POST', '/hosts/login.shop.example/checks', {})
    expect(status).toBe(200)
    expect(adminApi.checkHost.output.parse(body).hosts[0]?.problems).not.toEqual([])
    expect((await stage.request('DELETE', '/hosts/login.shop.example')).status).toBe(200)
    expect((await readHosts()).hosts).toEqual([])
  })

  test('the host of the installation stays on while the site has no other', async () => {
    const { revision } = await readHosts()
    const { status, body } = await stage.request('PATCH', '/hosts', { shared_host: false }, revision)
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { fields: [{ field: 'shared_host' }] } })
    const unchanged = await stage.request('PATCH', '/hosts', { shared_host: true }, revision)
    expect(unchanged.body).toMatchObject({ shared_host: true, revision: revision + 1 })
  })
})

describe('the look by the Admin API', () => {
  test('is saved, previewed, published and published again', async () => {
    const words = { en: { 'choice.explanation': 'Choose one.' } }
    const first = await stage.request('PUT', '/look', { theme: { radius: 1 }, words, publish: true }, 0)
    expect(first.body).toMatchObject({ published_version: 1, changed: false })
    const { revision } = await readLook()
    await stage.request('PUT', '/look', { theme: { radius: 2 }, words: {}, publish: true }, revision)
    const restored = await stage.request('PUT', '/look/published', { version: 1 }, (await readLook()).revision)
    expect(restored.body).toMatchObject({ published_version: 3, published: { theme: { radius: 1 }, words } })

    const preview = { theme: { radius: 7 }, words, page: 'choice', language: 'en', scheme: 'dark' }
    const { html } = adminApi.previewLook.output.parse((await stage.request('POST', '/look/previews', preview)).body)
    expect(html).toContain('Choose one.')
    expect(html).toContain('--radius: 7px')
  })

  test('has texts and languages', async () => {
    const { body } = await stage.requestAdminApi('GET', '/page-texts?language=ja')
    const { languages, texts } = adminApi.listPageTexts.output.parse(body)
    expect(languages.slice(0, 2)).toEqual(['en', 'ja'])
    expect(texts.find(({ key }) => key === 'choice.button')?.parameters).toEqual(['provider'])
  })
})

test('the account page is off, is turned on once for a revision, and is in the audit trail', async () => {
  const read = async () => adminApi.readAccountPage.output.parse((await stage.request('GET', '/account-page')).body)
  const { account, site_id } = stage.site
  const address = expect.stringMatching(new RegExp(`/account\\?site=${account}/${site_id}$`))
  expect(await read()).toEqual({ enabled: false, deletion_waiting_days: null, addresses: [address], revision: 0 })
  const on = await stage.request('PUT', '/account-page', { enabled: true }, 0)
  expect(on.body).toMatchObject({ enabled: true, revision: 1 })
  expect((await stage.request('PUT', '/account-page', { enabled: false }, 0)).status).toBe(412)
  expect(await read()).toMatchObject({ enabled: true, revision: 1 })
  const audit = await stage.requestAdminApi('GET', `/accounts/${account}/audit?site_id=${site_id}`)
  const { entries } = adminApi.listAudit.output.parse(audit.body)
  expect(entries).toContainEqual(
    expect.objectContaining({
      action: 'changeAccountPage',
      before: { enabled: false, deletion_waiting_days: null },
      after: { enabled: true, deletion_waiting_days: null },
    }),
  )
})

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

test('the documentation states what pictures are reduced to, and how many pixels are too many', async () => {
  const page = readFileSync(new URL('../../../docs/use/look.md', import.meta.url), 'utf8')
  for (const { width, height, max_bytes } of Object.values(pictureUses))
    expect(page).toContain(`${width} × ${height} pixels | ${max_bytes / 1_000} kB |`)
  const picture = `data:image/png;base64,${createPngHeader(30_000, 30_000).toString('base64')}`
  const { body } = await stage.request('POST', '/look/pictures', { picture, use: 'logo' })
  const [, tooMany = 'no reason'] = /has more than ([\d.]+ million pixels)/.exec(JSON.stringify(body)) ?? []
  expect(page).toContain(`at most ${tooMany}`)
  expect(page).toContain(`\`has more than ${tooMany}\``)
})

test('a picture is stored without what was hidden in it, and smaller', async () => {
  const image = encodeJpeg(drawPixels(1_500, 1_500, () => [0x33, 0x66, 0x99]))
  const content = await storeJpeg(Buffer.concat([image, Buffer.from('<script>alert(1)</script>')]), 'logo')
  expect(content.includes('<script>')).toBe(false)
  const { width, height, readColor } = decode(content)
  expect([width, height, readColor(200, 200)]).toEqual([400, 400, [2, 3, 5]])
})

test('a photograph is turned as its camera asks for it, and fits then', async () => {
  // Red above, blue below, as a camera writes it that was turned to the right.
  const photo = encodeJpeg(drawPixels(1_300, 1_900, (_x, y) => (y < 950 ? [255, 0, 0] : [0, 0, 255])))
  const { width, height, readColor } = decode(await storeJpeg(withOrientation(photo, 6), 'background'))
  expect([width, height]).toEqual([1_754, 1_200])
  expect([readColor(100, 600), readColor(1_600, 600)]).toEqual([
    [0, 0, 8],
    [8, 0, 0],
  ])
})

/** Uploads a JPEG, and returns the picture that is stored. */
async function storeJpeg(file: Buffer, use: PictureUse): Promise<Buffer> {
  const picture = `data:image/jpeg;base64,${file.toString('base64')}`
  const { picture: id } = adminApi.uploadPicture.output.parse(
    (await stage.request('POST', '/look/pictures', { picture, use })).body,
  )
  const { body } = await stage.request('GET', `/look/pictures/${id}`)
  const [, base64 = ''] = adminApi.readPicture.output.parse(body).picture.split(',')
  return Buffer.from(base64, 'base64')
}

/** The beginning of a PNG, whose header says its size (PNG 11.2.2). */
function createPngHeader(width: number, height: number): Buffer {
  const header = Buffer.from('89504e470d0a1a0a0000000d49484452000000000000000008060000001f15c489', 'hex')
  header.writeUInt32BE(width, 16)
  header.writeUInt32BE(height, 20)
  return header
}
