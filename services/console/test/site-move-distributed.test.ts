import { expect, test } from 'vitest'
import { isCitus, seedSite } from '#testing'
import { startManaged } from './managed.ts'
import { requestMove } from './site-move-harness.ts'

test.runIf(isCitus)('a site of a distributed database does not move, with the reason', async () => {
  await using source = await startManaged()
  await using target = await startManaged()
  const site = await seedSite(source.serviceStack)
  const response = await requestMove(source, target, site)
  expect(response).toMatchObject({
    status: 409,
    body: { error: { name: 'conflict', reason: 'move_tables_distributed' } },
  })
  const { account, site_id } = site
  expect((await source.operator('GET', `/accounts/${account}/sites/${site_id}/move`)).body).toEqual({ move: null })
  const { identity, call } = target.serviceStack
  await expect(identity.readSiteServing({ account, site_id }, call())).rejects.toMatchObject({
    fault: 'entity_not_found',
  })
})
