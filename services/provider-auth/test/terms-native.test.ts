import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { createNativeAppFixture } from './native-app.ts'
import { createTermsSteps, toDocument, usualDocuments } from './terms-steps.ts'

const { serviceStack, site, app } = createNativeAppFixture()
const steps = createTermsSteps(() => ({ serviceStack, site }))
beforeAll(async () => {
  await steps.setDocuments([...usualDocuments, toDocument({ name: 'privacy', version: 3 })])
})

const newIdToken = async (user: string) => (await app.logInBySdk('search', { user })).id_token
const required = {
  error: 'consent_required',
  error_description: 'The user has to accept terms:1 privacy:3. Ask the user, and send accepted_documents.',
}
const accepted = [
  { document: 'newsletter', version: 1, accepted: true },
  { document: 'privacy', version: 3, accepted: true },
  { document: 'terms', version: 1, accepted: true },
]

test('an app gets the documents to accept, repeats the login with them, and is not asked again', async () => {
  const user = `Native ${randomUUID()}`
  const idToken = await newIdToken(user)
  for (const documents of [undefined, 'newsletter:1', 'terms:2 privacy:2']) {
    const rejected = await app.inject('search', { id_token: idToken, accepted_documents: documents })
    expect([rejected.status, await rejected.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'consent_required' }),
    ])
  }
  expect(await (await app.inject('search', { id_token: idToken })).json()).toMatchObject(required)
  const answers = { accepted_documents: 'terms:1 privacy:3 newsletter:1' }
  const identifier = await app.redeem(await app.fetchToken('search', { id_token: idToken, ...answers }))
  expect(await steps.answersOf(identifier)).toEqual(accepted)
  const { user: known } = await serviceStack.identity.resolveUser({ site: site.site, identifier }, serviceStack.call())
  expect(known.login_count).toBe(1)
  expect(await app.redeem(await app.fetchToken('search', { id_token: await newIdToken(user) }))).toBe(identifier)
})

test('malformed documents are rejected', async () => {
  const response = await app.inject('search', { id_token: 'x', accepted_documents: 'terms' })
  expect(await response.json()).toMatchObject({ error_description: 'accepted_documents is invalid or unknown.' })
})

test('a token exchange takes the documents as a parameter', async () => {
  const client = { site: site.site, name: 'app', kind: 'public', redirect_uris: ['https://app.example.com/'] } as const
  const { client_id } = await serviceStack.provider_auth.registerClient(
    { ...client, redirect_uris: [...client.redirect_uris], token_exchange: true },
    serviceStack.call(),
  )
  const idToken = await newIdToken(`Native ${randomUUID()}`)
  const exchange = async (fields: Readonly<Record<string, string>>) => {
    const form = {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      client_id,
      subject_token: idToken,
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      subject_issuer: 'search',
      scope: 'openid',
      ...fields,
    }
    const body = new URLSearchParams(form)
    const response = await fetch(`${serviceStack.auth}/oauth2/token`, { method: 'POST', body })
    return { status: response.status, body: await response.json() }
  }
  expect(await exchange({})).toMatchObject({ status: 400, body: required })
  expect(await exchange({ accepted_documents: 'Terms' })).toMatchObject({
    status: 400,
    body: { error: 'invalid_request' },
  })
  expect(await exchange({ accepted_documents: 'privacy:3 terms:1' })).toMatchObject({
    status: 200,
    body: { id_token: expect.any(String) },
  })
})
