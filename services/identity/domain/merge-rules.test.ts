import { expect, test } from 'vitest'
import type { Provider } from '#contracts'
import { checkNoSharedProvider } from './merge-rules.ts'

const links = (...providers: Provider[]) =>
  providers.map((provider) => ({
    link_id: 'link',
    provider,
    provider_user_id: 'u',
    created_at: '2030-01-01T00:00:00Z',
  }))

test.each([
  ['different providers', links('messaging'), links('portal', 'search')],
  ['one account under both of its names', links('search', 'search_legacy'), links('messaging')],
  ['no link', links(), links('messaging')],
])('users can be merged with %s', (_what, source, destination) => {
  checkNoSharedProvider(source, destination)
  checkNoSharedProvider(destination, source)
})

test.each([
  ['one provider', links('messaging', 'search'), links('portal', 'search')],
  ["the search engine's older and current name", links('search_legacy'), links('search')],
])('operation_failed with accounts of %s', (_what, source, destination) => {
  const operationFailed = expect.objectContaining({ fault: 'operation_failed' })
  expect(() => checkNoSharedProvider(source, destination)).toThrow(operationFailed)
  expect(() => checkNoSharedProvider(destination, source)).toThrow(operationFailed)
})
