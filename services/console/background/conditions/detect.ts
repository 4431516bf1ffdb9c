import type { NoticeKind } from '#admin-api'
import { newCall } from '#bus'
import { Fault, type SiteDetails } from '#contracts'
import type { Logger } from '#runtime'
import { deleteChannelsOf, listNotifiedAccounts } from '../../store/notice-channels.ts'
import { updateConditions } from '../../store/notices.ts'
import { notifyOfNewNetworks } from './new-networks.ts'
import { conditionSources, type SourceDeps } from './sources.ts'

type ConditionKind = keyof typeof conditionSources

/**
 * Looks for conditions in the accounts with channels, and adds notices for new ones. A source that fails is left out until the next
 * time: its conditions neither begin nor end.
 */
export async function detectConditions(deps: SourceDeps & { readonly logger: Logger }): Promise<void> {
  for (const account of await listNotifiedAccounts(deps.knex)) {
    const sites = await listSites(account, deps)
    if (sites === undefined) {
      await deleteChannelsOf(deps.knex, account)
      continue
    }
    // The object has the keys that its type names.
    for (const kind of Object.keys(conditionSources) as ConditionKind[])
      await runSource(kind, deps.logger, () => detectKind(kind, { account, sites }, deps))
    await runSource('api_key_new_network', deps.logger, async () => {
      for (const site of sites) await notifyOfNewNetworks(site, deps)
    })
  }
}

/** @returns undefined if the account does not exist any more */
async function listSites(account: string, { identity }: SourceDeps): Promise<readonly SiteDetails[] | undefined> {
  try {
    return (await identity.listSitesOfAccount({ account }, newCall())).sites
  } catch (error) {
    if (error instanceof Fault && error.fault === 'entity_not_found') return undefined
    throw error
  }
}

async function runSource(kind: NoticeKind, logger: Logger, run: () => Promise<void>): Promise<void> {
  await run().catch((error: unknown) => logger.warn({ error, kind }, 'conditions for notices not read; retrying'))
}

async function detectKind(
  kind: ConditionKind,
  { account, sites }: { readonly account: string; readonly sites: readonly SiteDetails[] },
  deps: SourceDeps,
): Promise<void> {
  const conditions = []
  for (const site of sites) conditions.push(...(await conditionSources[kind](site, deps, newCall())))
  await updateConditions(deps.knex, { account, kind, conditions }, deps.now())
}
