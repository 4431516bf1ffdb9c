import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLoginsFixture } from './logins.ts'
import { createNativeAppFixture, Injected } from './native-app.ts'

const { site, app } = createNativeAppFixture()
const logins = createLoginsFixture()
let second: { url: string } & AsyncDisposable
beforeAll(async () => {
  const replica = await logins.startReplica()
  second = { url: `http://localhost:${replica.exposed.port}`, [Symbol.asyncDispose]: () => replica.stop() }
})
afterAll(async () => {
  await second[Symbol.asyncDispose]()
})

const newUser = () => `Replays ${randomUUID()}`

test('an ID Token that one replica accepted is rejected by another', async () => {
  const { id_token } = await app.logInBySdk('search', { user: newUser() })
  expect((await app.inject('search', { id_token })).status).toBe(200)
  const replayed = await app.inject('search', { id_token }, second.url)
  expect([replayed.status, await replayed.json()]).toMatchObject([400, { error: 'invalid_request' }])
})

test('of simultaneous requests at two replicas one succeeds, and the login counts once', async () => {
  const { id_token } = await app.logInBySdk('messaging', { user: newUser() })
  const responses = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      app.inject('messaging', { id_token }, index % 2 === 0 ? logins.auth : second.url),
    ),
  )
  const answers = await Promise.all(responses.map((response) => response.json()))
  const accepted = answers.flatMap((answer) => Injected.safeParse(answer).data ?? [])
  expect(accepted).toHaveLength(1)
  const { token = '' } = accepted[0] ?? {}
  const identifier = await app.redeem(token)
  const { user } = await logins.serviceStack.identity.resolveUser(
    { site: site.site, identifier },
    logins.serviceStack.call(),
  )
  expect(user.login_count).toBe(1)
})

test('an ID Token with another text of the same signature is the same token', async () => {
  const { id_token } = await app.logInBySdk('search', { user: newUser() })
  expect((await app.inject('search', { id_token })).status).toBe(200)
  for (const changed of [`${id_token}=`, id_token.replace(/.$/, (last) => nextCharacter(last))])
    expect((await app.inject('search', { id_token: changed })).status).toBe(400)
})

/** The next character of base64url: at the end of a signature its last bits may be ignored. */
function nextCharacter(character: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return alphabet[(alphabet.indexOf(character) + 1) % alphabet.length] ?? 'A'
}
