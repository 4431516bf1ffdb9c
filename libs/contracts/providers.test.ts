import { describe, expect, test } from 'vitest'
import { builtInProviders } from './login-providers/index.ts'
import { ProviderNamesSetting, providerNames } from './providers.ts'

describe('each token can be renamed separately', () => {
  const usual = providerNames()
  test.each([...builtInProviders, 'microblog_x' as const])('%s', (token) => {
    const names = ProviderNamesSetting.parse({ [token]: 'renamed' })
    for (const provider of builtInProviders) {
      expect(names.wire(provider)).toBe(provider === token ? 'renamed' : usual.wire(provider))
      const isRenamed = (provider === 'microblog' ? 'microblog_x' : provider) === token
      expect(names.path(provider)).toBe(isRenamed ? 'renamed' : usual.path(provider))
      expect(names.fromWire(names.wire(provider))).toBe(provider)
      expect(names.fromPath(names.path(provider))).toBe(provider)
    }
  })
})

test('two providers cannot share a name, in parameters or in paths', () => {
  expect(() => providerNames({ microblog: 'search' })).toThrow('share one name')
  expect(() => providerNames({ microblog_x: 'search' })).toThrow('share one name')
  expect(providerNames({ microblog: 'x', microblog_x: 'x' }).path('microblog')).toBe('x')
})
