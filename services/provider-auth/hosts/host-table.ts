import { type Bus, subscribeNotice } from '#bus'
import { providerAuthContract } from '#contracts'
import type { Reader } from '#database'
import { type Logger, repeatInBackground } from '#runtime'
import type { HostOwner } from '../domain/hosts.ts'
import { listChangedSharedHosts, type SharedHostRow } from '../store/shared-hosts.ts'
import { listChangedHosts, readHostsRevision, type SiteHostRow } from '../store/site-hosts.ts'

/** The login hosts of all sites, in memory, so that no request waits for them. */
export interface HostTable extends Disposable {
  /** The site of a host, or that it is not in use any more; undefined if it is no host of a site. */
  readonly find: (host: string) => HostOwner | 'unused' | undefined
  /** Whether it is a site's host of the Web API that is served. */
  readonly isApiHost: (host: string) => boolean
  /** The login hosts of a site that are served, the oldest first. */
  readonly listLoginHosts: (site: number) => readonly string[]
  /** Whether the site is also served on the installation's own host. */
  readonly isShared: (site: number) => boolean
  /** Reads what changed. */
  readonly refresh: () => Promise<void>
}

/** In case a notice was lost. Our choice: as often as for settings. */
const refreshMs = 1_000
const pageSize = 1_000

interface HostTableOptions {
  readonly reader: Reader
  readonly bus: Bus
  readonly logger: Logger
}

/** Opens the table after a first read; while Postgres is unavailable, it stays as it was last read. */
export async function openHostTable({ reader, bus, logger }: HostTableOptions): Promise<HostTable> {
  const entries = new Map<string, SiteHostRow>()
  const apiHosts = new Set<string>()
  const loginHosts = new Map<number, SiteHostRow[]>()
  const exclusive = new Set<number>()
  let revision = 0

  const apply = (row: SiteHostRow) => {
    if (row.purpose === 'api') {
      if (row.state === 'active') apiHosts.add(row.host)
      else if (row.state !== 'claimed') apiHosts.delete(row.host)
      return
    }
    const entry = entries.get(row.host)
    // Another site has proven a host that this one released or only claimed.
    if (entry !== undefined && entry.site !== row.site && row.state !== 'active') return
    if (row.state !== 'claimed') entries.set(row.host, row)
    for (const site of new Set([row.site, entry?.site ?? row.site])) {
      const others = (loginHosts.get(site) ?? []).filter(({ host }) => host !== row.host)
      const hosts = row.state === 'active' && row.site === site ? [...others, row] : others
      if (hosts.length === 0) loginHosts.delete(site)
      else loginHosts.set(site, hosts.sort(byAge))
    }
  }
  const reset = () => {
    for (const memory of [entries, apiHosts, loginHosts, exclusive]) memory.clear()
    revision = 0
  }
  const applyShared = ({ site, enabled }: SharedHostRow) => {
    if (enabled) exclusive.delete(site)
    else exclusive.add(site)
  }
  /** Repeats a page that is full: a revision is of one host, or of one site's setting. */
  const readPages = async <T extends { readonly revision: number }>(
    read: (after: number) => Promise<T[]>,
    applyRow: (row: T) => void,
  ) => {
    let after = revision
    for (;;) {
      const rows = await read(after)
      for (const row of rows) applyRow(row)
      if (rows.length < pageSize) return
      after = rows.at(-1)?.revision ?? after
    }
  }
  const readChanges = async () => {
    const newest = await readHostsRevision(reader)
    if (newest === revision) return
    // The database was restored from a backup.
    if (newest < revision) reset()
    await readPages((after) => listChangedHosts(reader, after, pageSize), apply)
    await readPages((after) => listChangedSharedHosts(reader, after, pageSize), applyShared)
    revision = newest
  }
  let reading = Promise.resolve()
  const refresh = () => {
    reading = reading.catch(() => {}).then(readChanges)
    return reading
  }
  await refresh()
  const refreshing = repeatInBackground(refresh, { intervalMs: refreshMs, logger, failure: 'hosts not read; retrying' })
  const onChange = () => void refresh().catch(() => {})
  const subscription = subscribeNotice(bus, providerAuthContract, 'settingsChanged', onChange, logger)
  return {
    find(host) {
      const row = entries.get(host)
      return row === undefined || row.state === 'active' ? row : 'unused'
    },
    isApiHost: (host) => apiHosts.has(host),
    listLoginHosts: (site) => loginHosts.get(site)?.map(({ host }) => host) ?? [],
    isShared: (site) => !exclusive.has(site),
    refresh,
    [Symbol.dispose]() {
      refreshing[Symbol.dispose]()
      subscription[Symbol.dispose]()
    },
  }
}

function byAge(one: SiteHostRow, other: SiteHostRow): number {
  return one.created_at.getTime() - other.created_at.getTime() || (one.host < other.host ? -1 : 1)
}
