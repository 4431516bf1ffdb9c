import { expect, test } from 'vitest'
import { adminApi } from '#admin-api'
import { getText } from './harness.ts'
import { createUsageFixture, waitForReports } from './usage-fixture.ts'

const stage = createUsageFixture()

async function read() {
  return adminApi.readSite.output.parse((await stage.request('GET', '')).body)
}

async function change(changes: object) {
  const { revision } = await read()
  return stage.request('PATCH', '', changes, revision)
}

test('a list that would block current callers is rejected with their addresses unless confirmed', async () => {
  await change({ name: stage.site.site_id, allowed_addresses: [] })
  for (const address of ['203.0.113.7', '203.0.113.7', '198.51.100.9', '2001:db8:1::5'])
    await expect.poll(async () => (await stage.callWebApi(address, 'appinfo')).status).toBe(200)
  const allowedAddresses = ['203.0.113.0/24']
  const preview = async (list: string[]) => {
    const { body } = await stage.request('POST', '/allowed-addresses/preview', { allowed_addresses: list })
    return adminApi.previewAllowedAddresses.output.parse(body).blocked
  }
  await waitForReports(async () => expect(await preview(['192.0.2.1'])).toHaveLength(3))
  expect(await change({ name: 'Renamed', allowed_addresses: allowedAddresses })).toMatchObject({
    status: 409,
    body: {
      error: {
        name: 'conflict',
        field: 'allowed_addresses',
        reason: 'callers_blocked',
        parameters: { count: '2', addresses: '198.51.100.9, 2001:db8:1::5' },
      },
    },
  })
  expect(await read()).toMatchObject({ allowed_addresses: [], name: stage.site.site_id })
  expect((await stage.callWebApi('198.51.100.9', 'appinfo')).status).toBe(200)

  const confirmed = await change({ allowed_addresses: allowedAddresses, confirm: ['block_callers'] })
  expect(confirmed).toMatchObject({ status: 200, body: { allowed_addresses: allowedAddresses } })
  expect(confirmed.body).not.toHaveProperty('confirm')
  await waitForReports(async () => expect((await stage.callWebApi('198.51.100.9', 'appinfo')).status).toBe(403))
  // The current list already blocks them, so a new list that does the same needs no confirmation.
  expect(await change({ allowed_addresses: ['203.0.113.7'] })).toMatchObject({ status: 200 })
  const rejected = await preview(['192.0.2.1'])
  expect(Object.fromEntries(rejected.map(({ address, allowed_now }) => [address, allowed_now]))).toEqual({
    '203.0.113.7': true,
    '198.51.100.9': false,
    '2001:db8:1::5': false,
  })
})

test.each(['0.0.0.0/0', '::/0'])('%s is rejected unless confirmed', async (block) => {
  await change({ allowed_addresses: ['203.0.113.0/24'], confirm: ['block_callers'] })
  const allowedAddresses = ['203.0.113.0/24', block]
  const rejected = await change({ allowed_addresses: allowedAddresses })
  expect([rejected.status, getText(rejected, 'error', 'reason')]).toEqual([409, 'all_addresses_allowed'])
  expect(getText(rejected, 'error', 'message')).toContain(`${block} allows every`)
  const site = {
    site_id: `open-${block.length}`,
    name: 'Open',
    kind: 'development',
    allowed_addresses: allowedAddresses,
  }
  const at = `/accounts/${stage.site.account}/sites`
  expect((await stage.requestAdminApi('POST', at, site)).status).toBe(409)
  const confirm = ['allow_all_addresses']
  expect((await stage.requestAdminApi('POST', at, { ...site, confirm })).status).toBe(200)
  // Removing the block of the other family blocks its callers.
  const both = [...confirm, 'block_callers']
  expect(await change({ allowed_addresses: allowedAddresses, confirm: both })).toMatchObject({ status: 200 })
  // Blocks that are already in the list need no confirmation.
  expect(await change({ name: 'Open', allowed_addresses: allowedAddresses })).toMatchObject({ status: 200 })
})
