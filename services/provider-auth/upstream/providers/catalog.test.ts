import { expect, test } from 'vitest'
import { loadCatalog } from '#catalog'
import { findClaim } from './find-claims.ts'
import { readClaims } from './read-claims.ts'

const catalog = loadCatalog()

test.each(catalog.map((entry) => [entry.name, entry] as const))('%s: the documented response', (_, entry) => {
  const { protocol } = entry.definition
  const { user, resources, ...expected } = entry.example
  const claims = { ...user, ...resources }
  expect(readClaims(protocol.claims, claims)).toEqual(expected)
  const userId = findClaim(claims, protocol.type === 'oidc' ? '/sub' : protocol.user_id)
  expect(['string', 'number']).toContain(typeof userId)
})

test('no two entries use the same host, by which the simulator knows them', () => {
  const names = catalog.flatMap(({ hosts }) => hosts)
  expect(names).toHaveLength(new Set(names).size)
})
