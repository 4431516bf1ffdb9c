import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { startReceiver } from '../../../events/test/receiver.ts'
import { type Managed, openManaged } from '../../test/managed.ts'
import { socialLogin } from './harness.ts'

let managed: Managed
let account: string
let site: number
let environment: Record<string, string>
beforeAll(async () => {
  managed = await openManaged()
})
afterAll(() => managed[Symbol.asyncDispose]())
beforeEach(async () => {
  const shop = await managed.openShop('editor')
  ;({ account, site } = shop)
  environment = { SOCIAL_LOGIN_URL: managed.serviceStack.console.url, SOCIAL_LOGIN_TOKEN: shop.token }
})

const createUser = async () => {
  const { identity, call } = managed.serviceStack
  return (await identity.createUser({ site, primary_key: randomUUID(), links: [] }, call())).user
}
const run = (...words: string[]) => socialLogin([...words, '--account', account, '--site-id', 'shop'], { environment })

test('events tail prints the stored events and those that follow', async () => {
  const first = await createUser()
  const tailing = run('events', 'tail', '--from-start', '--type', 'user.created', '--limit', '2')
  const second = await createUser()
  const { code, out } = await tailing
  expect([
    code,
    out
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/).slice(1, 3)),
  ]).toEqual([
    0,
    [
      ['user.created', first.identifier],
      ['user.created', second.identifier],
    ],
  ])
  const json = await run('events', 'tail', '--from-start', '--limit', '1', '-o', 'json')
  expect(JSON.parse(json.out)).toMatchObject({ type: 'user.created', account, site_id: 'shop', sequence: 1 })
})

test('listen sends events to a program with a signature that the library verifies, and prints the response', async () => {
  await createUser()
  await using receiver = await startReceiver(() => ({ status: 202 }))
  const secret = `whsec_${Buffer.from(randomUUID()).toString('base64')}`
  const file = join(inject('directory'), randomUUID())
  await writeFile(file, `${secret}\n`)
  const options = ['--forward', receiver.url, '--from-start', '--limit', '1', '--secret-file', file]
  const { code, out, err } = await run('listen', ...options)
  expect([code, out, err]).toEqual([
    0,
    expect.stringMatching(/user\.created .*→ {2}202 in \d+ ms\n$/),
    expect.any(String),
  ])
  const [received] = receiver.received
  // The library reads three headers, which have one value each.
  const headers = received?.headers as Record<string, string>
  expect(new Webhook(secret).verify(received?.body ?? '', headers)).toMatchObject({ type: 'user.created' })
})

test.each([
  [['events', 'tail', '--type', 'user.vanished'], '--type: '],
  [['listen', '--forward', 'localhost'], '--forward must be a URL'],
])('a wrong option is an error that says what is right: %j', async (words, message) => {
  expect(await run(...words)).toMatchObject({ code: 2, err: expect.stringContaining(message) })
})
