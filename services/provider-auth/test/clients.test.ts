import { expect, test } from 'vitest'
import type { Client } from '#contracts'
import { createLoginsFixture, redirectUri, type TestClient } from './logins.ts'

const logins = createLoginsFixture()

const getProviderAuth = () => logins.serviceStack.provider_auth
const call = () => logins.serviceStack.call()
const nameOf = ({ client_id }: TestClient) => ({ site: logins.site, client_id })
const read = (client: TestClient) => getProviderAuth().readClient(nameOf(client), call())
const fault = (name: string) => ({ name: 'Fault', fault: name })

async function redeems(client: TestClient, clientSecret = client.client_secret): Promise<number> {
  const { code } = await logins.endLogin(client.client_id)
  return (await logins.redeem({ ...client, client_secret: clientSecret }, code)).status
}

test('a client is listed and read as it was registered, without its secret', async () => {
  const client = await logins.registerClient({
    name: 'Listed',
    callback_by_domain: true,
    token_exchange: true,
    metadata_claims: ['app_metadata'],
    consents_claim: false,
    user_metadata_write: true,
    response_types: ['code'],
    pkce: 'S256',
  })
  const received = await read(client)
  expect(received).toEqual({
    client_id: client.client_id,
    kind: 'confidential',
    name: 'Listed',
    redirect_uris: [redirectUri],
    post_logout_redirect_uris: [],
    callback_by_domain: true,
    token_exchange: true,
    metadata_claims: ['app_metadata'],
    consents_claim: false,
    user_metadata_write: true,
    response_types: ['code'],
    pkce: 'S256',
    id_token_alg: 'RS256',
    secrets: [{ secret_id: expect.any(String), created_at: expect.stringMatching(/Z$/) }],
    created_at: expect.stringMatching(/Z$/),
    revision: 1,
  } satisfies Record<keyof Client, unknown>)
  expect((await getProviderAuth().listClients({ site: logins.site }, call())).clients).toContainEqual(received)
})

test('entity_not_found for a client of another site, for every procedure', async () => {
  const name = { ...nameOf(await logins.registerClient()), site: logins.site + 1 }
  const missing = fault('entity_not_found')
  const providerAuth = getProviderAuth()
  await expect(providerAuth.readClient(name, call())).rejects.toMatchObject(missing)
  await expect(providerAuth.changeClient({ ...name, expected_revision: 1 }, call())).rejects.toMatchObject(missing)
  await expect(providerAuth.removeClient(name, call())).rejects.toMatchObject(missing)
  await expect(providerAuth.issueClientSecret(name, call())).rejects.toMatchObject(missing)
  const secretId = crypto.randomUUID()
  await expect(providerAuth.revokeClientSecret({ ...name, secret_id: secretId }, call())).rejects.toMatchObject(missing)
})

test('a change sets only the given fields; of two concurrent changes one succeeds, and nothing of the other is stored', async () => {
  const client = await logins.registerClient()
  const addresses = ['https://shop.example.com/b', redirectUri]
  const changed = await getProviderAuth().changeClient(
    { ...nameOf(client), expected_revision: 1, redirect_uris: addresses },
    call(),
  )
  expect(changed).toMatchObject({ redirect_uris: addresses, name: 'shop', revision: 2 })
  const outcomes = await Promise.allSettled(
    ['One', 'Two', 'Three'].map((name, n) =>
      getProviderAuth().changeClient(
        { ...nameOf(client), expected_revision: 2, name, redirect_uris: [`https://shop.example.com/${n}`] },
        call(),
      ),
    ),
  )
  const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  expect(won).toHaveLength(1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(fault('changed_meanwhile'))
  expect(await read(client)).toEqual(won[0])
})

test.each([
  ['public', 'com.example.app:/callback', undefined],
  ['confidential', 'com.example.app:/callback', 'must use https: custom schemes are allowed for public clients only'],
  ['confidential', 'https://shop.example.com/callback#a', 'must not contain a fragment'],
  ['public', 'http://shop.example.com/callback', 'must use https: http is allowed for localhost only'],
] as const)('the new redirect URI of a %s client: %s: %s', async (kind, address, reason) => {
  const client = await logins.registerClient({ kind })
  const before = await read(client)
  const change = { ...nameOf(client), expected_revision: 1, name: 'Changed', redirect_uris: [redirectUri, address] }
  if (reason === undefined) {
    expect(await getProviderAuth().changeClient(change, call())).toMatchObject({ name: 'Changed' })
    return
  }
  await expect(getProviderAuth().changeClient(change, call())).rejects.toMatchObject({
    ...fault('invalid_parameter'),
    fields: [{ field: 'redirect_uris.1', reason }],
  })
  expect(await read(client)).toEqual(before)
})

test('a public client requires PKCE and gets no secret', async () => {
  const client = await logins.registerClient({ kind: 'public' })
  const fields = [{ field: 'pkce', reason: expect.stringContaining('must not be optional for a public client') }]
  await expect(
    getProviderAuth().changeClient({ ...nameOf(client), expected_revision: 1, pkce: 'optional' }, call()),
  ).rejects.toMatchObject({ ...fault('invalid_parameter'), fields })
  await expect(logins.registerClient({ kind: 'public', pkce: 'optional' })).rejects.toMatchObject({ fields })
  await expect(getProviderAuth().issueClientSecret(nameOf(client), call())).rejects.toMatchObject(
    fault('invalid_parameter'),
  )
})

test('a secret is rotated without downtime: both are accepted until one is revoked; never three, never none', async () => {
  const client = await logins.registerClient()
  const [first] = (await read(client)).secrets
  const issue = () => getProviderAuth().issueClientSecret(nameOf(client), call())
  const outcomes = await Promise.allSettled([issue(), issue(), issue()])
  const [second, ...more] = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  expect(more).toEqual([])
  expect(await redeems(client)).toBe(200)
  expect(await redeems(client, second?.client_secret)).toBe(200)

  await getProviderAuth().revokeClientSecret({ ...nameOf(client), secret_id: first?.secret_id ?? '' }, call())
  expect(await redeems(client)).toBe(401)
  expect(await redeems(client, second?.client_secret)).toBe(200)
  await expect(
    getProviderAuth().revokeClientSecret({ ...nameOf(client), secret_id: second?.secret_id ?? '' }, call()),
  ).rejects.toMatchObject(fault('invalid_parameter'))
  expect(await redeems(client, second?.client_secret)).toBe(200)
})

test('the codes and tokens of a removed client are revoked immediately', async () => {
  const [client, other] = [await logins.registerClient(), await logins.registerClient()]
  const tokens = await Promise.all(
    [client, other].map(async (one) => logins.fetchTokens(one, (await logins.endLogin(one.client_id)).code)),
  )
  const { code } = await logins.endLogin(client.client_id)
  await getProviderAuth().removeClient(nameOf(client), call())
  expect((await logins.redeem(client, code)).status).toBe(401)
  const responses = await Promise.all(tokens.map(({ access_token }) => logins.userinfo(access_token)))
  expect(responses.map(({ status }) => status)).toEqual([401, 200])
  expect(await logins.knex('authorization_codes').where({ client_id: client.client_id })).toEqual([])
  expect(await redeems(other)).toBe(200)
})

test('unauthorized_client at the authorization endpoint for a flow the client may not use', async () => {
  const { serviceStack, site, auth } = logins
  const named = { site, account: 'test', site_id: logins.site_id, provider: 'messaging' } as const
  const { authorize_uri } = await serviceStack.provider_auth.saveProviderSettings(
    { ...named, client_id: 'c', client_secret: 's' },
    call(),
  )
  const client = await logins.registerClient({ response_types: ['code'] })
  const authorize = async (responseType: string) => {
    const query = {
      client_id: client.client_id,
      redirect_uri: redirectUri,
      response_type: responseType,
      scope: 'openid',
      state: 's',
      nonce: 'n',
    }
    const response = await fetch(`${authorize_uri}?${new URLSearchParams(query)}`, { redirect: 'manual' })
    return response.headers.get('location') ?? ''
  }
  const rejected = new URL(await authorize('id_token'))
  expect(rejected.origin + rejected.pathname).toBe('https://shop.example.com/callback')
  expect(Object.fromEntries(new URLSearchParams(rejected.hash.slice(1)))).toMatchObject({
    error: 'unauthorized_client',
    error_description: 'The client may not use this response_type.',
    state: 's',
    iss: auth,
  })
  expect(await authorize('code')).not.toContain('error=')
  await getProviderAuth().changeClient(
    { ...nameOf(client), expected_revision: 1, response_types: ['id_token'] },
    call(),
  )
  expect(await authorize('id_token')).not.toContain('error=')
  expect(new URL(await authorize('code')).searchParams.get('error')).toBe('unauthorized_client')
})
