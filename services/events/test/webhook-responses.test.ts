import { describe, expect, test } from 'vitest'
import { openEndpoint } from './endpoint.ts'

describe('a response 2xx is a delivery, whatever its body does', () => {
  test.each([
    ['ends before its Content-Length', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nok'],
    ['has a broken chunk', 'HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\nnot a length\r\n'],
    [
      'is not what its Content-Encoding says',
      'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nok',
    ],
    ['is missing', 'HTTP/1.1 200 OK\r\n\r\n'],
  ])('%s', async (_, raw) => {
    await using endpoint = await openEndpoint({ types: ['user.created'] })
    endpoint.receiver.answerWith(() => ({ status: 200, raw }))
    await endpoint.createUser()
    await expect.poll(() => endpoint.listDeliveries()).toMatchObject([{ status: 'delivered' }])
    const [delivery] = await endpoint.listDeliveries()
    expect(delivery?.attempts).toMatchObject([{ status: Number(raw.slice(9, 12)), error: null, response: null }])
  })

  test('never ends', async () => {
    await using endpoint = await openEndpoint({ types: ['user.created'] })
    endpoint.receiver.server.removeAllListeners('request').on('request', (request, response) => {
      request.resume()
      response.writeHead(200).write('endless')
    })
    await endpoint.createUser()
    await expect.poll(() => endpoint.listDeliveries()).toMatchObject([{ status: 'delivered' }])
  })
})

test('the status of another response with a broken body is stored, with what arrived of the body', async () => {
  await using endpoint = await openEndpoint({ types: ['user.created'] })
  endpoint.receiver.answerWith(() => ({ status: 500, raw: 'HTTP/1.1 500 Error\r\nContent-Length: 9\r\n\r\nhalf' }))
  await endpoint.createUser()
  await expect.poll(async () => (await endpoint.listDeliveries())[0]?.attempts).toHaveLength(1)
  const [delivery] = await endpoint.listDeliveries()
  expect(delivery).toMatchObject({ status: 'waiting', attempts: [{ status: 500, error: null, response: 'half' }] })
})

test('a webhook has no headers of a browser', async () => {
  await using endpoint = await openEndpoint({ types: ['user.created'] })
  await endpoint.createUser()
  await expect.poll(() => endpoint.receiver.received.length).toBe(1)
  const names = Object.keys(endpoint.receiver.received[0]?.headers ?? {}).sort()
  expect(names).toEqual([
    'connection',
    'content-length',
    'content-type',
    'host',
    'user-agent',
    'webhook-id',
    'webhook-signature',
    'webhook-timestamp',
  ])
})

test('an empty list of types means all', async () => {
  await using endpoint = await openEndpoint({ types: [] })
  expect(await endpoint.read()).toMatchObject({ types: null })
  await endpoint.createUser()
  await expect.poll(() => endpoint.receiver.received.length).toBe(2)
  expect(await endpoint.change({ types: ['user.created'] })).toMatchObject({ types: ['user.created'] })
  expect(await endpoint.change({ types: [] })).toMatchObject({ types: null })
})
