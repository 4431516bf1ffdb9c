import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { retainedData } from '#contracts'
import { applicationOf } from '../../provider-auth/test/application.ts'
import { logInWith } from '../../provider-auth/test/browser.ts'
import { socialLogin } from '../cli/test/harness.ts'
import { createSitePageOpener } from './pages-browser.ts'
import { createUsageFixture } from './usage-fixture.ts'

const stage = createUsageFixture()
const openSitePage = createSitePageOpener(stage)

/** Logs a new user in, who then has data in every service. */
async function logInNewUser() {
  const { serviceStack, site } = stage
  const callback = await logInWith(site, 'messaging', { user: `erased-${randomUUID()}` })
  const application = applicationOf(serviceStack, site)
  const { id_token } = await application.redeem(callback)
  return { identifier: String((await application.verify(id_token)).sub), id_token }
}

async function readReceipt(identifier: string): Promise<unknown> {
  const { status, body } = await stage.request('GET', `/users/${identifier}/erasure-receipt`)
  expect(status).toBe(200)
  return body
}

async function waitForReceipt(identifier: string): Promise<string> {
  await expect.poll(() => readReceipt(identifier)).toMatchObject({ receipt: expect.any(String), pending: [] })
  return String(Reflect.get(Object(await readReceipt(identifier)), 'receipt'))
}

test('after a deletion, a receipt that the public keys verify says what each service deleted', async () => {
  const { serviceStack, site } = stage
  const { identity, events, call } = serviceStack
  const { identifier } = await logInNewUser()
  const key = { site: site.site, identifier }
  await identity.changeMetadata({ ...key, user_metadata: { size: 'M' }, replace: false }, call())
  await identity.recordConsents({ ...key, answers: [{ document: 'terms', version: 2, accepted: true }] }, call())
  const listTypes = async () => {
    const page = await events.listEvents({ ...key, limit: 50 }, call())
    return page.events.map(({ type }) => type)
  }
  // The last events before the deletion.
  await expect
    .poll(listTypes)
    .toEqual(expect.arrayContaining(['user.consents_changed', 'profile.updated', 'friendship.changed']))
  const eventsBefore = (await listTypes()).length
  expect((await stage.request('GET', `/users/${identifier}/erasure-receipt`)).status).toBe(404)

  const deleted = await stage.callWebApi('198.51.100.7', `delete_user?identifier=${identifier}`)
  expect(deleted.status, await deleted.text()).toBe(200)
  const receipt = await waitForReceipt(identifier)

  const keys = createRemoteJWKSet(new URL(`${serviceStack.auth}/oauth2/jwks`))
  const { payload } = await jwtVerify(receipt, keys, { typ: 'erasure-receipt+jwt', issuer: serviceStack.auth })
  expect(payload).toEqual({
    iss: serviceStack.auth,
    jti: expect.any(String),
    iat: expect.any(Number),
    erasure: {
      account: site.account,
      site_id: site.site_id,
      identifier,
      requested_by: 'web_api',
      requested_at: expect.any(String),
      deleted_at: expect.any(String),
      retained: retainedData,
      services: [
        {
          service: 'identity',
          deleted: { user: 1, linked_accounts: 1, metadata: 1, consents: 1, deletion: 0, logins: 1 },
        },
        { service: 'profile', deleted: { profile: 1, provider_data: 1 } },
        { service: 'provider-auth', deleted: { credentials: 1, recipients: 1 } },
        { service: 'friendship', deleted: { friendship: 1 } },
        { service: 'events', deleted: { events: eventsBefore } },
      ].map((part) => ({ ...part, erased_at: expect.stringMatching(/Z$/) })),
    },
  })
  const { jwks } = Object(await readReceipt(identifier))
  expect(jwks.keys).toMatchObject([{ kid: decodeProtectedHeader(receipt).kid, kty: 'EC' }])
  expect(JSON.stringify(jwks)).not.toContain('"d"')
  const { body } = await stage.request('GET', '/erasures')
  expect(body).toMatchObject({
    erasures: expect.arrayContaining([expect.objectContaining({ identifier, completed_at: expect.any(String) })]),
    next: null,
  })
})

test('the command line verifies a receipt from files, and rejects a changed one', async () => {
  const { serviceStack } = stage
  const { identifier, id_token } = await logInNewUser()
  expect((await stage.request('DELETE', `/users/${identifier}`)).status).toBe(200)
  const receipt = await waitForReceipt(identifier)
  const directory = await mkdtemp(join(tmpdir(), 'receipt-'))
  const write = async (name: string, text: string) => {
    await writeFile(join(directory, name), text)
    return join(directory, name)
  }
  const jwks = await write('jwks.json', await (await fetch(`${serviceStack.auth}/oauth2/jwks`)).text())
  const verify = async (text: string, ...options: string[]) =>
    socialLogin(['verify-receipt', await write(randomUUID(), text), '--jwks', jwks, ...options])

  const plain = await verify(`${receipt}\n`, '--issuer', serviceStack.auth)
  expect(plain).toMatchObject({ code: 0, err: '' })
  expect(plain.out).toContain(`User ${identifier} of`)
  expect(plain.out).toMatch(/profile at \S+Z: profile 1, provider_data 1\n/)
  const ofJson = await verify(JSON.stringify(await readReceipt(identifier)), '--json')
  expect(JSON.parse(ofJson.out)).toMatchObject({ erasure: { identifier, requested_by: 'admin_api' } })

  const [header, payload = '', signature] = receipt.split('.')
  const changed = Buffer.from(payload, 'base64url').toString().replace('"logins":1', '"logins":2')
  const forged = await verify([header, Buffer.from(changed).toString('base64url'), signature].join('.'))
  expect(forged).toMatchObject({ code: 10, out: '', err: expect.stringContaining('The receipt is not genuine') })
  expect(await verify(receipt, '--issuer', 'https://other.example')).toMatchObject({ code: 10 })
  // The same keys sign ID Tokens.
  expect(await verify(id_token)).toMatchObject({ code: 10 })
})

test('the page lists deleted users, and shows and downloads the receipt', async () => {
  const { identifier } = await logInNewUser()
  expect((await stage.request('DELETE', `/users/${identifier}`)).status).toBe(200)
  const receipt = await waitForReceipt(identifier)
  const page = await openSitePage('/erasures')
  await page.getByRole('link', { name: identifier }).click()
  const row = page.getByRole('table', { name: 'Deleted data' }).getByRole('row', { name: 'Profile' }).first()
  await row.getByText('profile', { exact: true }).waitFor()
  await page.getByRole('table', { name: 'Data that stays' }).getByText('Backups of the databases').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download receipt' }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`erasure-${identifier}.jwt`)
  const chunks = await (await download.createReadStream()).toArray()
  expect(Buffer.concat(chunks).toString()).toBe(receipt)
})

test('the page says in English what the receipt says', () => {
  const texts: unknown = JSON.parse(readFileSync('services/console/web/texts/en/erasures.json', 'utf8'))
  const expected = Object.fromEntries(retainedData.map(({ kind, holds, kept }) => [kind, { holds, kept }]))
  expect(Reflect.get(Object(texts), 'retained_kinds')).toEqual(expected)
})
