import { expect, test } from 'vitest'
import type { SeededSite } from '#testing'
import { buildAuthorizeUrl } from '../../provider-auth/test/browser.ts'
import {
  createMember,
  createToken,
  faultOf,
  findRemains,
  reasonOf,
  requestBy,
  seed,
  stateOf,
  useManaged,
  waitForDeletion,
} from './site-deletion-harness.ts'

const stage = useManaged()

/** Redeems an unknown code as the client of the site. */
async function requestToken({ client: { client_id, client_secret, redirect_uri } }: SeededSite) {
  const code = { grant_type: 'authorization_code', code: 'unknown', redirect_uri }
  const response = await fetch(`${stage.managed.serviceStack.auth}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({ ...code, client_id, client_secret }),
  })
  const body: unknown = await response.json()
  return { status: response.status, body }
}

test('a deletion that another owner approves leaves nothing of the site and everything of others', async () => {
  const { managed } = stage
  const site = await seed(managed)
  const other = await seed(managed)
  const { serviceStack, knex } = managed
  for (const { site: number } of [site, other])
    await serviceStack.identity.createUser({ site: number, primary_key: 'u1', links: [] }, serviceStack.call())
  expect(await requestToken(site)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  expect((await fetch(buildAuthorizeUrl(site, 'search'), { redirect: 'manual' })).status).toBe(302)
  const first = await createMember(managed, site, 'owner')
  const second = await createMember(managed, site, 'owner')

  expect(stateOf(await requestBy(first.send, site))).toBe('pending')
  expect(reasonOf(await requestBy(second.send, site))).toBe('deletion_pending')
  expect(reasonOf(await first.send('POST', '/approve'))).toBe('deletion_own_request')
  const sameByToken = await createToken(managed, site, first.member_id)
  expect(reasonOf(await sameByToken('POST', '/approve'))).toBe('deletion_own_request')
  const unanswered = await createToken(managed, site, null)
  expect(reasonOf(await unanswered('POST', '/approve'))).toBe('deletion_token_without_member')
  const editor = await createMember(managed, site, 'editor')
  expect(faultOf(await editor.send('POST', '/approve'))).toBe('not_allowed')
  const operator = await createMember(managed, site, 'operator')
  expect(reasonOf(await operator.send('POST', '/approve'))).toBe('deletion_needs_owner')

  expect(stateOf(await second.send('POST', '/approve'))).toBe('approved')
  expect(reasonOf(await first.send('POST', '/cancel'))).toBe('deletion_approved')
  await expect.poll(async () => (await fetch(`${serviceStack.web_api}/users?key=${site.api_key}`)).status).toBe(401)
  await expect.poll(() => requestToken(site)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  const login = await fetch(buildAuthorizeUrl(site, 'search'), { redirect: 'manual' })
  expect(login.status).toBe(400)

  const read = await waitForDeletion(managed, site, first.send)
  expect(read).toMatchObject({
    deletion: { deleted: { identity: { users: 1, api_keys: 1, sites: 1 }, provider_auth: { clients: 1 } } },
  })
  expect(stateOf(await second.send('POST', '/approve'))).toBe('deleted')
  expect(await findRemains(managed, site.site)).toEqual([])
  expect((await fetch(`${serviceStack.web_api}/users?key=${other.api_key}`)).status).toBe(200)
  const { users } = await serviceStack.identity.findUsers({ site: other.site, id: 'u1' }, serviceStack.call())
  expect(users).toHaveLength(1)
  const again = await managed.operator('POST', `/accounts/${site.account}/sites`, {
    site_id: site.site_id,
    name: 'Again',
    kind: 'production',
  })
  expect(again.status).toBe(409)
  const entry = await knex('audit_entries').where({ account: site.account, action: 'completeSiteDeletion' }).first()
  expect(entry.after).toMatchObject({ identity: { users: 1 } })
})

test('a deletion is canceled, expires, and fails if the requester is no owner any more', async () => {
  const { managed } = stage
  const site = await seed(managed)
  const { knex } = managed
  const first = await createMember(managed, site, 'owner')
  const second = await createMember(managed, site, 'owner')
  expect(faultOf(await first.send('POST', '', { confirm_site_id: 'another' }))).toBe('invalid_request')
  expect(faultOf(await first.send('POST', '/approve'))).toBe('not_found')

  await requestBy(first.send, site)
  expect(stateOf(await second.send('POST', '/cancel'))).toBe('canceled')
  expect(stateOf(await second.send('POST', '/cancel'))).toBe('canceled')
  expect(reasonOf(await second.send('POST', '/approve'))).toBe('deletion_canceled')

  // As if stored by a server whose clock is faster than that of the next one.
  await knex('site_deletion_requests')
    .where({ site: site.site })
    .update({ requested_at: new Date(Date.now() + 60_000) })
  await requestBy(first.send, site)
  await knex('site_deletion_requests')
    .where({ site: site.site, state: 'pending' })
    .update({ expires_at: new Date(0) })
  expect(stateOf(await first.send('GET'))).toBe('expired')
  expect(reasonOf(await second.send('POST', '/approve'))).toBe('deletion_expired')

  await requestBy(first.send, site)
  await knex('member_roles').where({ member_id: first.member_id }).update({ role: 'editor' })
  expect(reasonOf(await second.send('POST', '/approve'))).toBe('deletion_requester_removed')
})

test('an operator approves for the only owner of an account', async () => {
  const { managed } = stage
  const site = await seed(managed)
  const owner = await createMember(managed, site, 'owner')
  const operator = await createMember(managed, site, 'operator')
  await requestBy(owner.send, site)
  expect(stateOf(await operator.send('POST', '/approve'))).toBe('approved')
  await waitForDeletion(managed, site, operator.send)
})
