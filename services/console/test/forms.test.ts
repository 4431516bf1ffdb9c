import { expect, test } from 'vitest'
import { z } from 'zod'
import { createSitePageOpener } from './pages-browser.ts'
import { createUsageFixture } from './usage-fixture.ts'

const stage = createUsageFixture()
const openSitePage = createSitePageOpener(stage)

async function createClient() {
  const redirectUris = ['https://shop.example.com/one', 'https://shop.example.com/two']
  const client = { kind: 'public', name: 'Shop', redirect_uris: redirectUris }
  const { body } = await stage.request('POST', '/clients', client)
  const { client_id } = z.object({ client: z.object({ client_id: z.string() }) }).parse(body).client
  const read = async () => {
    const { body: read } = await stage.request('GET', `/clients/${client_id}`)
    return z.object({ name: z.string(), redirect_uris: z.array(z.string()) }).parse(read)
  }
  return { client_id, redirect_uris: redirectUris, read }
}

test('before a redirect URI is removed, the form shows the change and which logins end', async () => {
  const { client_id, redirect_uris, read } = await createClient()
  const page = await openSitePage(`/clients/${client_id}`)
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await page.getByLabel('Redirect URIs').fill('https://shop.example.com/one')
  await save.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Logins that return to https://shop.example.com/two end with an error page.').waitFor()
  await dialog.getByRole('row', { name: /Redirect URIs/ }).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await read()).toMatchObject({ redirect_uris })

  await save.click()
  await dialog.getByRole('button', { name: 'Save anyway' }).click()
  await expect.poll(read).toMatchObject({ redirect_uris: ['https://shop.example.com/one'] })
})

test('a change is undone with one click', async () => {
  const { client_id, read } = await createClient()
  const page = await openSitePage(`/clients/${client_id}`)
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Renamed')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(read).toMatchObject({ name: 'Shop' })
  await expect.poll(() => name.inputValue()).toBe('Shop')
})

test('values of a provider are pasted, and nothing is stored before saving', async () => {
  const page = await openSitePage('/providers/microblog')
  await page.getByRole('button', { name: 'Paste values' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('GOOGLE_CLIENT_ID=g\nTWITTER_CLIENT_ID=x-1\nTWITTER_CLIENT_SECRET="x-2"')
  await dialog.getByRole('button', { name: 'Fill in' }).click()
  const clientId = page.getByRole('textbox', { name: 'API key', exact: true })
  await expect.poll(() => clientId.inputValue()).toBe('x-1')
  const { body } = await stage.request('GET', '/providers/microblog')
  expect(body).not.toMatchObject({ client_id: 'x-1' })
})

test('each field of a form has a link to its documentation, also checkboxes', async () => {
  const page = await openSitePage('/clients?new')
  await page.getByRole('dialog').waitFor()
  const hrefOf = (field: string) => page.getByRole('link', { name: `Documentation of ${field}` }).getAttribute('href')
  for (const field of ['name', 'kind', 'redirect_uris', 'callback_by_domain', 'response_types', 'pkce'])
    expect(await hrefOf(field)).toBe(`https://docs.example.com/login/use/fields.html#client-${field}`)
  expect(await page.getByRole('textbox', { name: 'Redirect URIs' }).count()).toBe(1)
})
