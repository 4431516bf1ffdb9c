import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  builtInProviders,
  type Provider,
  type ProviderData,
  ProviderEmail,
  ProviderPhone,
  profileFields,
} from '#contracts'
import { combine, type SuppliedData } from './combine.ts'
import { addMissingFields, removeMissingFields } from './short-form.ts'

/** Data that a provider supplied some seconds after the epoch. */
function supply(provider: Provider, seconds: number, data: Partial<ProviderData>): SuppliedData {
  const nothing: ProviderData = { profile: {}, follow: null, email: [], phone: [] }
  return { provider, obtained_at: new Date(seconds * 1_000), data: { ...nothing, ...data } }
}

test('without data every field is null', () => {
  const { profile, follow, email, phone } = combine([])
  expect(Object.keys(profile)).toEqual(Object.keys(profileFields))
  expect(new Set(Object.values(profile))).toEqual(new Set([null]))
  expect(follow).toEqual({ followed_by: null, following: null })
  expect([email, phone]).toEqual([[], []])
})

test('a field has the value of the provider updated last', () => {
  const supplies = [
    supply('messaging', 1, { profile: { full_name: 'Old', gender: 1, verified: true } }),
    supply('search', 2, { profile: { full_name: 'New', gender: 2, verified: false } }),
  ]
  expect(combine(supplies).profile).toMatchObject({ full_name: 'New', gender: 2, verified: false })
})

test.each([
  ['is absent', {}],
  ['is null', { full_name: null, birthday: null }],
])('a field that the provider updated last leaves unknown (%s) has the value of the next', (_what, profile) => {
  const supplies = [
    supply('messaging', 1, { profile: { full_name: 'Kept', birthday: '2000-02-29' } }),
    supply('search', 2, { profile: { ...profile, city: 'Kyoto' } }),
  ]
  expect(combine(supplies).profile).toMatchObject({ full_name: 'Kept', birthday: '2000-02-29', city: 'Kyoto' })
})

test('at equal times the first provider in the specification has priority', () => {
  const supplies = [
    supply('search', 5, { profile: { full_name: 'Search' } }),
    supply('messaging', 5, { profile: { full_name: 'Messaging' } }),
  ]
  expect(combine(supplies).profile.full_name).toBe('Messaging')
})

test('lists are merged, each value once, the last updated provider first', () => {
  const supplies = [
    supply('messaging', 1, { profile: { website: ['https://a.example', 'https://b.example'] } }),
    supply('search', 2, { profile: { website: ['https://b.example', 'https://c.example'], uri: [] } }),
    supply('social', 3, { profile: {} }),
  ]
  expect(combine(supplies).profile).toMatchObject({
    website: ['https://b.example', 'https://c.example', 'https://a.example'],
    uri: [],
  })
})

test('an e-mail address from several providers occurs once, from the provider updated last', () => {
  const supplies = [
    supply('messaging', 1, { email: [{ email: 'a@example.com', verified: false }] }),
    supply('search', 2, {
      email: [
        { email: 'b@example.com', verified: true },
        { email: 'a@example.com', verified: false },
      ],
    }),
  ]
  expect(combine(supplies).email).toEqual([
    { email: 'b@example.com', verified: true, media_id: 'search' },
    { email: 'a@example.com', verified: false, media_id: 'search' },
  ])
})

test('an e-mail address comes from the provider that verified it, even if a later one did not', () => {
  const supplies = [
    supply('messaging', 1, { email: [{ email: 'a@example.com', verified: true }] }),
    supply('search', 2, { email: [{ email: 'a@example.com', verified: false }] }),
  ]
  expect(combine(supplies).email).toEqual([{ email: 'a@example.com', verified: true, media_id: 'messaging' }])
})

test('a phone number has the type that its provider supplied', () => {
  const supplies = [
    supply('messaging', 1, { phone: [{ number: '+81 3-0000-0000', verified: true, type: 'fax' }] }),
    supply('search', 2, { phone: [{ number: '+81 3-0000-0000', verified: false, type: 'phone' }] }),
    supply('portal', 3, { phone: [{ number: '+81 90-0000-0000', verified: false, type: 'mobile' }] }),
  ]
  expect(combine(supplies).phone).toEqual([
    { number: '+81 90-0000-0000', verified: false, type: 'mobile', media_id: 'portal' },
    { number: '+81 3-0000-0000', verified: true, type: 'fax', media_id: 'messaging' },
  ])
})

test('follow is that of the provider updated last among those that have one', () => {
  const supplies = [
    supply('social', 1, { follow: { followed_by: 1, following: 1 } }),
    supply('microblog', 2, { follow: { followed_by: 0, following: null } }),
    supply('search', 3, {}),
  ]
  expect(combine(supplies).follow).toEqual({ followed_by: 0, following: null })
})

const some = fc.constantFrom('a', 'b', 'c')
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const data: fc.Arbitrary<ProviderData> = fc.record({
  profile: fc.record(
    {
      full_name: maybe(some),
      city: maybe(some),
      gender: maybe(fc.integer({ min: 1, max: 3 })),
      uri: maybe(fc.array(some)),
    },
    { requiredKeys: [] },
  ),
  follow: maybe(fc.record({ followed_by: maybe(fc.nat(9)), following: maybe(fc.nat(9)) })),
  email: fc.array(fc.record({ email: some, verified: fc.boolean() })),
  phone: fc.array(
    fc.record({ number: some, verified: fc.boolean(), type: fc.constantFrom('phone' as const, 'fax' as const) }),
  ),
})
const supplies = fc.uniqueArray(
  fc.record({
    provider: fc.constantFrom(...builtInProviders),
    obtained_at: fc.nat(3).map((seconds) => new Date(seconds * 1_000)),
    data,
  }),
  { selector: ({ provider }) => provider },
)
const shuffled = supplies.chain((given) =>
  fc.record({ given: fc.constant(given), other: fc.shuffledSubarray(given, { minLength: given.length }) }),
)

test('the order in which data are given does not matter, also at equal times', () => {
  fc.assert(
    fc.property(shuffled, ({ given, other }) => {
      expect(combine(other)).toEqual(combine(given))
    }),
  )
})

test('the result contains all supplied values and no others', () => {
  fc.assert(
    fc.property(supplies, (given) => {
      const { profile, email, phone } = combine(given)
      const known = (name: 'full_name' | 'city' | 'gender') =>
        given.map((one) => one.data.profile[name]).filter((value) => value != null)
      for (const name of ['full_name', 'city', 'gender'] as const)
        expect(known(name).length === 0 ? [null] : known(name)).toContainEqual(profile[name])
      expect(new Set(profile.uri ?? [])).toEqual(new Set(given.flatMap((one) => one.data.profile.uri ?? [])))
      for (const { media_id, ...entry } of email)
        expect(given.find(({ provider }) => provider === media_id)?.data.email).toContainEqual(
          ProviderEmail.parse(entry),
        )
      for (const { media_id, ...entry } of phone)
        expect(given.find(({ provider }) => provider === media_id)?.data.phone).toContainEqual(
          ProviderPhone.parse(entry),
        )
      const addresses = email.map((entry) => entry.email)
      expect(new Set(addresses)).toEqual(new Set(given.flatMap((one) => one.data.email.map((entry) => entry.email))))
      expect(addresses).toHaveLength(new Set(addresses).size)
    }),
  )
})

test('data given again by a provider that is already the latest change only what that provider gives', () => {
  fc.assert(
    fc.property(supplies, data, (given, again) => {
      const others = given.filter(({ provider }) => provider !== 'messaging')
      const latest: SuppliedData = { provider: 'messaging', obtained_at: new Date(9_000), data: again }
      const { profile } = combine([...others, latest])
      for (const name of ['full_name', 'city', 'gender'] as const)
        expect(profile[name]).toEqual(again.profile[name] ?? combine(others).profile[name])
    }),
  )
})

test('the short form has no field that is null, and the profile is restored from it exactly', () => {
  fc.assert(
    fc.property(supplies, (given) => {
      const combined = combine(given)
      const short = removeMissingFields(combined)
      expect(Object.values(short.profile)).not.toContain(null)
      expect(JSON.stringify(addMissingFields(short))).toBe(JSON.stringify(combined))
    }),
  )
})
