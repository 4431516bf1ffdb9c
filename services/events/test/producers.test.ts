import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ProviderData } from '#contracts'
import { patientCall } from '#testing'
import { expectNumbered, openStream } from './harness.ts'

const named = (name: string): ProviderData => ({
  profile: { full_name: name },
  follow: null,
  email: [{ email: 'u@example.com', verified: true }],
  phone: [],
})

test('profile and friendship events follow the events of identity, and name changed items without values', async () => {
  const { stack, site, readUntil } = await openStream()
  const { identity, profile, friendship, call } = stack
  const account = { provider: 'messaging' as const, provider_user_id: randomUUID() }
  const { user, link_id, recorded_at } = await identity.recordLogin({ site, login: randomUUID(), ...account }, call())
  const { identifier } = user
  const of = { site, identifier, link_id, provider: 'messaging' as const }
  const later = (seconds: number) => new Date(Date.parse(recorded_at) + seconds * 1_000).toISOString()
  await profile.recordProviderData({ ...of, data: named('A'), obtained_at: recorded_at }, call())
  await profile.recordProviderData({ ...of, data: named('A'), obtained_at: later(1) }, call())
  await profile.recordProviderData({ ...of, data: named('B'), obtained_at: later(2) }, call())
  const status = { site, link_id, friendship_status: true }
  await friendship.recordStatus({ ...status, obtained_at: later(1) }, call())
  await friendship.recordStatus({ ...status, obtained_at: later(2) }, call())
  await profile.deleteProfile({ site, identifier, link_ids: [link_id], prohibit: true }, call())
  await profile.grantProfile({ site, identifier, link_ids: [link_id] }, call())
  await readUntil('friendship.changed')

  const events = await readUntil('profile.prohibition_changed', 2)
  expectNumbered(events)
  expect(events.every((event) => event.user.identifier === identifier)).toBe(true)
  expect(events.slice(0, 2).map(({ type }) => type)).toEqual(['user.created', 'user.logged_in'])
  const rest = events.slice(2).map(({ type, data }) => ({ type, data }))
  expect(rest.filter(({ type }) => type.startsWith('profile.'))).toEqual([
    { type: 'profile.updated', data: { changed: ['full_name', 'email'], update_count: 1 } },
    { type: 'profile.updated', data: { changed: ['full_name'], update_count: 3 } },
    { type: 'profile.deleted', data: {} },
    { type: 'profile.prohibition_changed', data: { profile_prohibited: true } },
    { type: 'profile.prohibition_changed', data: { profile_prohibited: false } },
  ])
  expect(rest.filter(({ type }) => type === 'friendship.changed')).toEqual([
    { type: 'friendship.changed', data: { friendship_status: true } },
  ])
})

test('no event of a deleted user follows user.deleted, also if it was stored before', async () => {
  const { stack, site, readUntil, readAll } = await openStream()
  const { identity, profile } = stack
  const users = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const account = { provider: 'messaging' as const, provider_user_id: randomUUID() }
      const { user, link_id, recorded_at } = await identity.recordLogin(
        { site, login: randomUUID(), ...account },
        patientCall(),
      )
      const of = { site, identifier: user.identifier, link_id, provider: 'messaging' as const }
      await Promise.all([
        profile.recordProviderData({ ...of, data: named('A'), obtained_at: recorded_at }, patientCall()),
        identity.deleteUser({ site, identifier: user.identifier }, patientCall()),
      ])
      return user.identifier
    }),
  )
  await readUntil('user.deleted', users.length)
  const other = await identity.createUser({ site, links: [] }, patientCall())
  await profile.deleteProfile({ site, identifier: other.user.identifier, link_ids: [], prohibit: true }, patientCall())
  await readUntil('profile.prohibition_changed')
  const events = await readAll()
  expectNumbered(events)
  for (const identifier of users) {
    const ofUser = events.filter(({ user }) => user.identifier === identifier)
    expect(ofUser.at(-1)?.type).toBe('user.deleted')
  }
})

test('profile.updated contains the profile only while the site has profile_in_events', async () => {
  const { stack, site, readUntil } = await openStream()
  const { identity, profile, call } = stack
  const account = { provider: 'messaging' as const, provider_user_id: randomUUID() }
  const { user, link_id, recorded_at } = await identity.recordLogin({ site, login: randomUUID(), ...account }, call())
  const of = { site, identifier: user.identifier, link_id, provider: 'messaging' as const }
  const record = (name: string, seconds: number) => {
    const obtainedAt = new Date(Date.parse(recorded_at) + seconds * 1_000).toISOString()
    return profile.recordProviderData({ ...of, data: named(name), obtained_at: obtainedAt }, call())
  }
  await record('A', 0)
  await identity.changeSite({ site, profile_in_events: true }, call())
  await record('B', 1)
  await identity.changeSite({ site, profile_in_events: false }, call())
  await record('C', 2)
  const events = await readUntil('profile.updated', 3)
  const [first, second, third] = events.filter(({ type }) => type === 'profile.updated').map(({ data }) => data)
  expect(first).toEqual({ changed: ['full_name', 'email'], update_count: 1 })
  expect(second).toMatchObject({
    changed: ['full_name'],
    values: {
      profile: { full_name: 'B', first_name: null },
      email: [{ email: 'u@example.com', verified: true, media_id: 'messaging' }],
      phone: [],
    },
  })
  expect(third).toEqual({ changed: ['full_name'], update_count: 3 })
})
