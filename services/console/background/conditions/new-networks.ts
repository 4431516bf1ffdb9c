import { newCall } from '#bus'
import type { SiteDetails } from '#contracts'
import { transaction } from '#database'
import { listKeyAddresses, upsertKeyNetworks } from '../../store/key-networks.ts'
import { notifyOnce } from '../../store/notices.ts'
import { networkOf } from './key-network.ts'
import type { SourceDeps } from './sources.ts'

/** Compares the networks from which a site's keys were used with the known ones, and notifies of new ones. */
export async function notifyOfNewNetworks(
  { site, account, site_id, name: siteName }: SiteDetails,
  { identity, knex, now }: SourceDeps,
): Promise<void> {
  const at = now()
  const addresses = await listKeyAddresses(knex, site, at)
  const networks = new Map(
    addresses.flatMap(({ api_key_id, address }) => {
      const network = networkOf(address)
      return network === undefined ? [] : [[`${api_key_id} ${network}`, { api_key_id, network }]]
    }),
  )
  if (networks.size === 0) return
  const { keys } = await identity.listApiKeys({ site }, newCall())
  const active = new Map(
    keys.filter(({ revoked_at }) => revoked_at === null).map(({ api_key_id, name }) => [api_key_id, name]),
  )
  await transaction(knex, async (trx) => {
    for (const { api_key_id, network } of await upsertKeyNetworks(trx, [...networks.values()], at)) {
      const name = active.get(api_key_id)
      if (name === undefined) continue
      const details = { name, network, site_name: siteName }
      await notifyOnce(trx, { account, site_id, kind: 'api_key_new_network', details }, at)
    }
  })
}
