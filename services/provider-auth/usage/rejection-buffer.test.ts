import { expect, test } from 'vitest'
import { createRejectionBuffer } from './rejection-buffer.ts'

/** As in deploy/nats/nats.conf. */
const mostBytesOfMessage = 1_000_000

test('a report fits into one message, even if all addresses are as long as they can be', () => {
  const rejections = createRejectionBuffer()
  const longest = 'x'.repeat(512)
  for (let place = 0; place < 300; place++)
    rejections.add(
      {
        request_id: '018f0000-0000-7000-8000-000000000000',
        endpoint: 'authorization',
        client_id: 'x'.repeat(128),
        // Each character is two in JSON.
        redirect_uri: '"'.repeat(512),
        registered_redirect_uris: Array.from({ length: 10 }, () => longest),
        site: Math.floor(place / 50),
        error: null,
        error_description: null,
        reason: 'redirect_uri_invalid',
      },
      `192.0.2.${Math.floor(place / 20)}`,
    )
  const reports = rejections.take()
  expect(reports.flatMap((report) => report.rejections)).toHaveLength(300)
  for (const report of reports) expect(JSON.stringify(report).length).toBeLessThan(mostBytesOfMessage)
  expect(rejections.take()).toEqual([])
})
