import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startReceiver } from '../../../events/test/receiver.ts'
import { type Managed, openManaged } from '../../test/managed.ts'
import { socialLogin } from './harness.ts'

let managed: Managed
beforeAll(async () => {
  managed = await openManaged()
})
afterAll(() => managed[Symbol.asyncDispose]())

test('a channel is added with the URL of a chat in a file, tested, listed without the URL, and removed', async () => {
  await using receiver = await startReceiver()
  const { account, token } = await managed.openShop()
  const environment = { SOCIAL_LOGIN_URL: managed.serviceStack.console.url, SOCIAL_LOGIN_TOKEN: token }
  const run = (...words: string[]) => socialLogin(['notices', ...words, '--account', account], { environment })
  const file = join(inject('directory'), 'chat-url.txt')
  await writeFile(file, `${receiver.url}/secret\n`)
  const added = await run('add', '--name', 'Chat', '--chat-url-file', file, '--kinds', 'export_ready', '--json')
  expect(added, added.err).toMatchObject({ code: 0 })
  const { channel_id, kinds, chat_format } = JSON.parse(added.out)
  expect([kinds, chat_format]).toEqual([['export_ready'], 'text'])
  expect(await run('test', '--channel-id', channel_id)).toMatchObject({ code: 0 })
  expect(receiver.received).toMatchObject([{ path: '/events/secret' }])
  const listed = await run('list')
  expect(listed.out).toContain('Chat')
  expect(listed.out).not.toContain('secret')
  expect(await run('remove', '--channel-id', channel_id)).toMatchObject({ code: 0 })
  expect(JSON.parse((await run('list', '--json')).out).channels).toEqual([])
})
