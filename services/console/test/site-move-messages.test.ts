import { expect, test as vitestTest } from 'vitest'
import { isCitus } from '#testing'
import { newAccount, openManaged } from './managed.ts'
import { findServing } from './site-move-harness.ts'

/** Citus has no triggers, which freeze a site (`freezeSite`). */
const test = vitestTest.skipIf(isCitus)

test('messages of a move that arrive late have no effect', async () => {
  await using cell = await openManaged()
  const { identity, call } = cell.serviceStack
  const name = { account: newAccount(), site_id: 'main' }
  const { site: number } = await identity.registerSite({ ...name, name: 'Main' }, call())
  const create = (primaryKey: string) =>
    identity.createUser({ site: number, primary_key: primaryKey, links: [] }, call())
  const freeze = (claim: string) => identity.freezeSite({ site: number, claim }, call())
  const thaw = (claim: string) => identity.thawSite({ site: number, claim }, call())

  await freeze('first')
  await freeze('first')
  await expect(create('a')).rejects.toMatchObject({ fault: 'unavailable' })
  await thaw('first')
  await create('a')
  await expect(freeze('first')).rejects.toMatchObject({ fault: 'changed_meanwhile' })
  await create('b')
  await freeze('second')
  await thaw('first')
  await expect(create('c')).rejects.toMatchObject({ fault: 'unavailable' })
  const range = { after: '', upto: null }
  const part = { table: 'users', range, upto: null, digest: '', envelope: '' }
  await expect(identity.storeSiteRows({ site: number, ...part }, call())).rejects.toMatchObject({
    fault: 'entity_not_found',
  })
  await thaw('second')

  const serve = (serving: 'here' | 'moved', order: number) =>
    identity.changeSiteServing({ site: number, serving, moved_to: null, order }, call())
  await serve('moved', 1)
  await serve('here', 2)
  await serve('moved', 1)
  expect(await findServing(cell, name)).toMatchObject({ serving: 'here' })
})
