import { describe, expect, test } from 'vitest'
import type { ProviderData } from '#contracts'
import { fillMissingItems } from './fill-missing-items.ts'

const nothing: ProviderData = { profile: {}, follow: null, email: [], phone: [] }
const named: ProviderData = {
  ...nothing,
  profile: { full_name: 'Ada King' },
  email: [{ email: 'a@example.com', verified: true }],
}
const unnamed: ProviderData = {
  ...nothing,
  email: [{ email: 'b@example.com', verified: true }],
  not_obtained: ['full_name'],
}

describe('of two logins of a provider', () => {
  test.each<[string, ProviderData, ProviderData, ProviderData]>([
    ['the newer counts where it obtained an item', { ...nothing, not_obtained: [] }, named, nothing],
    ['the older counts where the newer did not', unnamed, named, { ...named, email: unnamed.email }],
    [
      'an item that neither obtained stays to be filled in',
      unnamed,
      { ...nothing, not_obtained: ['full_name', 'email'] },
      unnamed,
    ],
    ['an item that only the older login did not obtain comes from the newer', named, unnamed, named],
  ])('%s', (_, newer, older, known) => {
    expect(fillMissingItems(newer, older)).toEqual(known)
  })

  test('it does not matter how often one is merged', () => {
    const known = fillMissingItems(unnamed, named)
    expect(fillMissingItems(unnamed, known)).toEqual(known)
    expect(fillMissingItems(known, named)).toEqual(known)
  })
})
