import { expect, test } from 'vitest'
import type { Provider } from '#contracts'
import { checkUnlinking } from './unlinking.ts'

const linked = (...providers: Provider[]) => providers.map((provider) => ({ provider }))

test.each([
  ['one of two', linked('messaging', 'search'), { providers: ['search' as const], nowarn: false }],
  ['the last with nowarn', linked('messaging'), { providers: ['messaging' as const], nowarn: true }],
])('%s can be unlinked', (_what, links, wish) => {
  checkUnlinking(links, wish)
})

test.each([
  ['provider_not_linked', 'one that is not linked', { providers: ['portal' as const], nowarn: true }],
  [
    'provider_not_linked',
    'one that is linked and one that is not',
    { providers: ['search' as const, 'portal' as const], nowarn: false },
  ],
  [
    'provider_not_linked',
    'all providers and one that is not linked, checked before last_provider',
    { providers: ['search' as const, 'messaging' as const, 'portal' as const], nowarn: false },
  ],
  ['last_provider', 'all providers', { providers: ['search' as const, 'messaging' as const], nowarn: false }],
])('%s for %s', (fault, _what, wish) => {
  expect(() => checkUnlinking(linked('messaging', 'search'), wish)).toThrow(expect.objectContaining({ fault }))
})
