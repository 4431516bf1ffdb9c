import { expect, test } from 'vitest'
import { createLogger } from '#runtime'
import { createRejectionBuffer } from '../usage/rejection-buffer.ts'
import { recordAuthorizationRejection } from './record-rejection.ts'
import { buildRedirectLocation } from './redirect-location.ts'

const notAsked = (): never => {
  throw new Error('Requests without a client_id need no settings.')
}
const siteSettings = {
  findClient: notAsked,
  findClientByRedirectUri: notAsked,
  listSecretHashes: notAsked,
  findProviderSettings: notAsked,
  publishChange: notAsked,
  [Symbol.dispose]: () => {},
}

/** Records an error sent to the application. */
function record(redirectUri: string, placement: 'query' | 'fragment', error: string) {
  const rejections = createRejectionBuffer()
  const location = buildRedirectLocation(
    { redirect_uri: redirectUri, responseMode: placement, state: null },
    { error, error_description: 'Why.' },
  )
  recordAuthorizationRejection(
    { kind: 'redirect', location, login: 'client_error' },
    { request_id: crypto.randomUUID(), parameters: undefined, address: undefined },
    { siteSettings, rejections, logger: createLogger('test', 'silent') },
  )
  return rejections.take().flatMap((report) => report.rejections)
}

const addresses = ['https://shop.example/cb', 'https://shop.example/cb?kept=1', 'com.example.app:/cb?kept=1']
const responses = addresses.flatMap((address) =>
  (['query', 'fragment'] as const).map((place) => [address, place] as const),
)

test.each(responses)('the error sent to %s in the %s is recorded', (address, placement) => {
  expect(record(address, placement, 'invalid_scope')).toMatchObject([
    { error: 'invalid_scope', error_description: 'Why.', reason: 'sent_to_application' },
  ])
})

test.each(responses)('login_required sent to %s in the %s is not recorded', (address, placement) => {
  expect(record(address, placement, 'login_required')).toEqual([])
})
