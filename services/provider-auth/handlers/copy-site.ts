import { copiedValues, createSiteCopyHandlers, isFrozenBy, passFreeze } from '#database'
import type { Deps, ProviderAuthHandlers } from '../deps.ts'
import { endSessionTask } from '../outbox.ts'
import { providerAuthTables } from '../site-tables.ts'
import { claimsContextOf } from '../store/authorization-codes.ts'
import { encryptedCredentials } from '../store/encrypted-credentials.ts'
import { encryptedSettings } from '../store/provider-settings.ts'
import { suspendHosts, updateHostRevisions } from '../store/shared-hosts.ts'
import { changeHosts } from '../store/site-hosts.ts'

const claims = {
  table: 'authorization_codes',
  columns: ['claims'],
  encryptionContextOf: ({ code_hash }: { readonly code_hash: string }) => claimsContextOf(code_hash),
}

export const siteCopyHandlers = createSiteCopyHandlers<Deps>(({ knex, encryptor }) => ({
  knex,
  service: 'provider-auth',
  tables: providerAuthTables,
  queues: ['jobs', 'pending_events'],
  // Sessions stay in the Redis of their cell.
  queueOptions: { jobs: encryptor, ownTasks: [endSessionTask] },
  secrets: [
    copiedValues(encryptedCredentials, encryptor, ({ link_id }, site) => ({ site, link_id: link_id ?? '' })),
    copiedValues(encryptedSettings, encryptor, ({ provider }, site) => ({ site, provider: provider ?? '' })),
    copiedValues(claims, encryptor, ({ code_hash }) => ({ code_hash: code_hash ?? '' })),
  ],
  encryptor,
  uniqueInCell: ['clients_pk', 'provider_settings_pk', 'login_provider_identifiers_unique', 'site_hosts_owner'],
}))

export const retireHosts: ProviderAuthHandlers['retireHosts'] = async (freeze, { knex, hosts }) => {
  await changeHosts(knex, async (trx, revision) => {
    if (!(await isFrozenBy(trx, freeze))) return
    await passFreeze(trx)
    await suspendHosts(trx, freeze.site, revision)
  })
  await hosts.refresh()
  return {}
}

export const announceHosts: ProviderAuthHandlers['announceHosts'] = async ({ site }, { knex, hosts }) => {
  await changeHosts(knex, async (trx, revision) => {
    await passFreeze(trx)
    await updateHostRevisions(trx, site, revision)
  })
  await hosts.refresh()
  return {}
}
