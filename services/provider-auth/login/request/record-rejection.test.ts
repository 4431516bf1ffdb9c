import { expect, test } from 'vitest'
import { createLogger } from '#runtime'
import { type ResponseMode, responseModes } from '../../domain/response-mode.ts'
import { buildApplicationResponse } from '../../response/application-response.ts'
import { createRejectionBuffer } from '../../usage/rejection-buffer.ts'
import { recordAuthorizationRejection } from './record-rejection.ts'

const notAsked = (): never => {
  throw new Error('Requests without a client_id need no settings.')
}
const siteSettings = {
  findClient: notAsked,
  findClientByRedirectUri: notAsked,
  findDomainCallbackClient: notAsked,
  listSecretHashes: notAsked,
  findSiteByName: notAsked,
  findApplicationOrigin: notAsked,
  findLook: notAsked,
  findAccountPage: notAsked,
  findTerms: notAsked,
  findProviderSettings: notAsked,
  publishChange: notAsked,
  [Symbol.dispose]: () => {},
}

/** Records an error sent to the application. */
function record(redirectUri: string, responseMode: ResponseMode, error: string) {
  const rejections = createRejectionBuffer()
  const response = buildApplicationResponse(
    { redirect_uri: redirectUri, responseMode, state: null },
    { error, error_description: 'Why.' },
  )
  recordAuthorizationRejection(
    { ...response, login: 'client_error' },
    { request_id: crypto.randomUUID(), kind: 'openid', context: undefined, address: undefined },
    { siteSettings, rejections, logger: createLogger('test', 'silent') },
  )
  return rejections.take().flatMap((report) => report.rejections)
}

const addresses = ['https://shop.example/cb', 'https://shop.example/cb?kept=1', 'com.example.app:/cb?kept=1']
const responses = addresses.flatMap((address) => responseModes.map((mode) => [address, mode] as const))

test.each(responses)('the error sent to %s by %s is recorded', (address, mode) => {
  expect(record(address, mode, 'invalid_scope')).toMatchObject([
    { error: 'invalid_scope', error_description: 'Why.', reason: 'sent_to_application' },
  ])
})

test.each(responses)('login_required sent to %s by %s is not recorded', (address, mode) => {
  expect(record(address, mode, 'login_required')).toEqual([])
})
