import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { basic, createOwnLoginsFixture, fetchKeys, redirectUri } from './logins.ts'

const logins = createOwnLoginsFixture()

async function publishedKids(base: string): Promise<string[]> {
  return (await fetchKeys(base)).map(({ kid }) => kid)
}

test('replicas that start together have the same keys, one of each algorithm', async () => {
  const first = await publishedKids(logins.auth)
  await logins.knex('signing_keys').delete()
  const replicas = await Promise.all([1, 2, 3].map(() => logins.startReplica()))
  const published = await Promise.all(replicas.map(({ exposed }) => publishedKids(`http://localhost:${exposed.port}`)))
  await Promise.all(replicas.map(({ stop }) => stop()))
  expect(published[0]).toHaveLength(2)
  expect(published[1]).toEqual(published[0])
  expect(published[2]).toEqual(published[0])
  expect(published[0]).not.toEqual(first)
})

test('a replica that cannot decrypt the keys does not start', async () => {
  const other = `other:${randomBytes(32).toString('base64')}`
  await expect(logins.startReplica({ ENCRYPTION_KEYS: other })).rejects.toThrow(
    'An encrypted value cannot be decrypted: the key test is not in the ring.',
  )
})

test('private parts are encrypted at rest', async () => {
  const rows = await logins.knex('signing_keys').select()
  for (const { private_jwk, public_jwk } of rows) {
    expect(private_jwk.toString('latin1')).not.toContain('"d"')
    expect(public_jwk).not.toHaveProperty('d')
  }
})

test('of redemptions at two replicas exactly one succeeds', async () => {
  const replica = await logins.startReplica()
  const client = await logins.registerClient()
  for (let round = 0; round < 10; round++) {
    const { code } = await logins.endLogin(client.client_id)
    const body = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirectUri })
    const bases = [logins.auth, `http://localhost:${replica.exposed.port}`]
    const responses = await Promise.all(
      [...bases, ...bases, ...bases].map((base) =>
        fetch(`${base}/oauth2/token`, { method: 'POST', headers: basic(client), body }),
      ),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  }
  await replica.stop()
})
