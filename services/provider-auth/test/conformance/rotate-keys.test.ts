import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { rotateSigningKeys } from '../../openid/signing-keys/rotate.ts'
import { activationDelaySeconds } from '../../openid/signing-keys/schedule.ts'
import { createOwnLoginsFixture, redirectUri } from '../logins.ts'
import { readKeys } from './suite.ts'

const logins = createOwnLoginsFixture()

/** The keys that a replica publishes after reading them, and an ID Token that it signs. */
async function callReplica() {
  const replica = await logins.startReplica()
  const base = `http://localhost:${replica.exposed.port}`
  const { client_id, client_secret } = await logins.registerClient()
  const { code } = await logins.endLogin(client_id)
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, client_id, client_secret }
  const response = await fetch(`${base}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) })
  const { id_token } = z.object({ id_token: z.string() }).parse(await response.json())
  const { keys } = await readKeys(`${base}/oauth2/jwks`)
  await replica.stop()
  return { id_token, keys, kid: decodeProtectedHeader(id_token).kid, kids: keys.map(({ kid }) => kid) }
}

test('oidcc-server-rotate-keys: the new key appears next to the old one, and tokens verify throughout', async () => {
  const before = await callReplica()
  await rotateSigningKeys(logins)
  const published = await callReplica()
  const newKids = published.kids.filter((kid) => !before.kids.includes(kid))
  expect(published.kids).toEqual(expect.arrayContaining(before.kids))
  expect(newKids).toHaveLength(before.kids.length)

  const past = logins.knex.raw('activates_at - make_interval(secs => ?)', [activationDelaySeconds])
  await logins.knex('signing_keys').update({ activates_at: past })
  const active = await callReplica()
  expect(published.kid).toBe(before.kid)
  expect(newKids).toContain(active.kid)

  // Clients that loaded the keys after the new one was published can verify tokens of both.
  const keys = createLocalJWKSet({ keys: published.keys })
  for (const { id_token } of [before, published, active]) await jwtVerify(id_token, keys, { algorithms: ['RS256'] })
})
