import { describe, expect, test } from 'vitest'
import type { ProviderData } from '#contracts'
import { complete, fillIn } from './fill-in.ts'

const nothing: ProviderData = { profile: {}, follow: null, email: [], phone: [] }
const named: ProviderData = {
  ...nothing,
  profile: { full_name: 'Ada King' },
  email: [{ email: 'a@example.com', verified: true }],
}
const unnamed: ProviderData = { ...nothing, email: [{ email: 'b@example.com', verified: true }], untold: ['profile'] }

describe('of two logins of a provider', () => {
  test.each<[string, ProviderData, ProviderData, ProviderData]>([
    ['the newer counts where it was told', { ...nothing, untold: [] }, named, nothing],
    ['the older counts where the newer was not told', unnamed, named, { ...named, email: unnamed.email }],
    ['what neither was told stays to be filled in', unnamed, { ...nothing, untold: ['profile', 'email'] }, unnamed],
    ['what the older alone was not told is the newer’s', named, unnamed, named],
  ])('%s', (_, newer, older, known) => {
    expect(fillIn(newer, older)).toEqual(known)
  })

  test('it does not matter how often one is told', () => {
    const known = fillIn(unnamed, named)
    expect(fillIn(unnamed, known)).toEqual(known)
    expect(fillIn(known, named)).toEqual(known)
  })
})

test('what is complete is filled in by nothing', () => {
  expect(fillIn(complete(unnamed), named)).toEqual({ ...nothing, email: unnamed.email })
})
