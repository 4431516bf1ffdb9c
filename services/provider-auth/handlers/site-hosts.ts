import { Fault, limits, type SiteHosts } from '#contracts'
import { newToken, toTimestamp, toTimestampOrNull } from '#runtime'
import type { Deps, ProviderAuthHandlers } from '../deps.ts'
import { checkHost } from '../hosts/check-host.ts'
import { fileUrlOf, proofOf, txtNameOf } from '../hosts/proof.ts'
import { listHostUses } from '../store/host-uses.ts'
import { findSharedHost, storeSharedHost } from '../store/shared-hosts.ts'
import {
  changeHosts,
  claimHost,
  hasRelatedHost,
  listApiHostChanges,
  listSiteHosts,
  lockHost,
  readHostsRevision,
  releaseHost,
  type SiteHostRow,
} from '../store/site-hosts.ts'

type HostHandlers = Pick<
  ProviderAuthHandlers,
  'readSiteHosts' | 'addHost' | 'checkHost' | 'removeHost' | 'changeSharedHost' | 'listApiHosts'
>

type SiteNames = Pick<SiteHostRow, 'site' | 'account' | 'site_id'>

export const hostHandlers: HostHandlers = {
  readSiteHosts: (site, deps) => describeHosts(site, deps),

  async addHost({ host, purpose, ...site }, deps) {
    if (deps.hosts.isReserved(host))
      throw new Fault('invalid_parameter', { fields: [{ field: 'host', reason: 'belongs to this installation' }] })
    await changeHosts(deps.knex, async (trx, revision) => {
      const hosts = await listSiteHosts(trx, site.site)
      if (hosts.some((one) => one.host === host)) return
      if (hosts.length >= limits.site_hosts)
        throw new Fault('invalid_parameter', {
          fields: [{ field: 'host', reason: `is one too many: a site has at most ${limits.site_hosts}` }],
        })
      if (await hasRelatedHost(trx, { ...site, host })) throw new Fault('already_exists')
      await claimHost(trx, { ...site, host, purpose, token: newToken('', 24), revision })
    })
    await deps.hosts.refresh()
    return describeHosts(site, deps)
  },

  async checkHost({ host, ...site }, deps) {
    await checkHost({ site: site.site, host }, deps)
    return describeHosts(site, deps)
  },

  async removeHost({ host, ...site }, deps) {
    await changeHosts(deps.knex, async (trx, revision) => {
      const before = await lockHost(trx, { site: site.site, host })
      if (before === undefined) throw new Fault('entity_not_found')
      const others = (await listSiteHosts(trx, site.site)).filter((one) => one.host !== host)
      const shared = await findSharedHost(trx, site.site)
      if (before.purpose === 'login' && shared?.enabled === false && !isReachable(site, others, deps))
        throw new Fault('invalid_parameter', {
          fields: [{ field: 'host', reason: 'is the only login host: serve the site on the shared host first' }],
        })
      await releaseHost(trx, before, revision)
    })
    await deps.hosts.refresh()
    return describeHosts(site, deps)
  },

  async changeSharedHost({ shared_host, expected_revision, ...site }, deps) {
    await changeHosts(deps.knex, async (trx, revision) => {
      const before = await findSharedHost(trx, site.site)
      if ((before?.settings_revision ?? 0) !== expected_revision) throw new Fault('changed_meanwhile')
      if (!shared_host && !isReachable(site, await listSiteHosts(trx, site.site), deps))
        throw new Fault('invalid_parameter', {
          fields: [
            { field: 'shared_host', reason: 'must stay on until the site has another login host that is active' },
          ],
        })
      await storeSharedHost(trx, { site: site.site, enabled: shared_host, revision })
    })
    await deps.hosts.refresh()
    return describeHosts(site, deps)
  },

  async listApiHosts({ after_revision, limit }, { reader }) {
    const revision = await readHostsRevision(reader)
    const rows = await listApiHostChanges(reader, after_revision, limit)
    return {
      hosts: rows.map(({ state, token, ...row }) => ({
        ...row,
        active: state === 'active',
        proof: proofOf({ token }),
      })),
      revision,
    }
  },
}

/** Whether end users can log in on a host of the site. */
function isReachable(site: SiteNames, hosts: readonly SiteHostRow[], { hosts: { patternHostOf } }: Deps): boolean {
  return (
    patternHostOf(site) !== undefined || hosts.some(({ state, purpose }) => purpose === 'login' && state === 'active')
  )
}

async function describeHosts(names: SiteNames, deps: Deps): Promise<SiteHosts> {
  const { reader, hosts } = deps
  const { site } = names
  const [rows, shared, uses] = await Promise.all([
    listSiteHosts(reader, site),
    findSharedHost(reader, site),
    listHostUses(reader, site),
  ])
  return {
    hosts: rows.flatMap((row) => (row.state === 'released' ? [] : [{ ...describeHost(row, deps), state: row.state }])),
    pattern_host: hosts.patternHostOf(names) ?? null,
    shared_host: shared?.enabled ?? true,
    issuers: [...hosts.issuersOf(names)],
    uses: uses.map(({ host, ...use }) => ({ ...use, host: host === '' ? null : host })),
    revision: shared?.settings_revision ?? 0,
  }
}

function describeHost(row: SiteHostRow, { hosts }: Pick<Deps, 'hosts'>): Omit<SiteHosts['hosts'][number], 'state'> {
  const { host, purpose, problems, checked_at, failing_since, created_at } = row
  return {
    host,
    purpose,
    txt_name: txtNameOf(host),
    txt_value: proofOf(row),
    file_url: fileUrlOf(host),
    target: hosts.targetOf(purpose),
    problems: [...problems],
    checked_at: toTimestampOrNull(checked_at),
    failing_since: toTimestampOrNull(failing_since),
    created_at: toTimestamp(created_at),
  }
}
