import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type Managed, newAccount, openManaged, type SendRequest } from './managed.ts'

let managed: Managed
let editor: SendRequest
let account: string
let token: string
let site: number
beforeAll(async () => {
  managed = await openManaged()
  account = newAccount()
  editor = await managed.createClient(account, 'editor')
  token = await managed.createToken(account, 'editor')
  const { identity, call } = managed.serviceStack
  site = (await identity.registerSite({ account, site_id: 'main', name: 'Main' }, call())).site
})
afterAll(() => managed[Symbol.asyncDispose]())

/** The path of the metadata of a new user. */
async function createPath(): Promise<string> {
  const { identity, call } = managed.serviceStack
  const { user } = await identity.createUser({ site, links: [] }, call())
  return `/accounts/${account}/sites/main/users/${user.identifier}/metadata`
}

test('metadata is patched or replaced at its revision, and its values are not in the audit trail', async () => {
  const path = await createPath()
  expect(await editor('GET', path)).toMatchObject({ status: 200, body: { user_metadata: {}, revision: 0 } })
  const first = { user_metadata: { color: 'personal-blue' }, app_metadata: { plan: 'personal-plan' } }
  expect(await editor('PATCH', path, first, 0)).toMatchObject({ status: 200, body: { ...first, revision: 1 } })
  const patched = { user_metadata: {}, app_metadata: first.app_metadata, revision: 2 }
  expect(await editor('PATCH', path, { user_metadata: { color: null } }, 1)).toMatchObject({ body: patched })
  const replaced = { app_metadata: { level: 3 }, replace: true }
  expect(await editor('PATCH', path, replaced, 2)).toMatchObject({ body: { app_metadata: { level: 3 }, revision: 3 } })

  expect(await editor('PATCH', path, first, 2)).toMatchObject({ status: 412 })
  expect(await editor('PATCH', path, first)).toMatchObject({ status: 428 })
  const large = { app_metadata: { text: `personal-${'x'.repeat(8_192)}` } }
  expect(await editor('PATCH', path, large, 3)).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('8192 bytes') } },
  })
  expect(await editor('GET', path)).toMatchObject({ body: { user_metadata: {}, app_metadata: { level: 3 } } })

  const { body } = await (await managed.createClient(account, 'owner'))('GET', `/accounts/${account}/audit`)
  expect(JSON.stringify(body)).toContain('changeUserMetadata')
  expect(JSON.stringify(body)).toContain('readUserMetadata')
  expect(JSON.stringify(body)).not.toContain('personal-')
})

test('a number that would be rounded is rejected', async () => {
  const path = await createPath()
  const { revision } = z.object({ revision: z.int() }).parse((await editor('GET', path)).body)
  const change = async (body: string) => {
    const headers = {
      'content-type': 'application/json',
      'if-match': `"${revision}"`,
      authorization: `Bearer ${token}`,
    }
    const response = await fetch(`${managed.serviceStack.console.url}/admin/v1${path}`, {
      method: 'PATCH',
      headers,
      body,
    })
    return { status: response.status, body: await response.json() }
  }
  for (const number of ['0.12345678901234567', '9007199254740993', '1e400'])
    expect(await change(`{"app_metadata":{"a":[${number}]}}`)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('more digits than can be stored exactly') } },
    })
  expect(await editor('GET', path)).toMatchObject({ body: { revision } })
  expect(await change('{"app_metadata":{"a":[0.1250]}}')).toMatchObject({ body: { app_metadata: { a: [0.125] } } })
})

test('viewers read metadata and do not change it', async () => {
  const path = await createPath()
  const viewer = await managed.createClient(account, 'viewer')
  expect(await viewer('GET', path)).toMatchObject({ status: 200 })
  expect(await viewer('PATCH', path, { app_metadata: { admin: true } }, 0)).toMatchObject({ status: 403 })
})
