import { type Bus, publishNotice, subscribeNotice } from '#bus'
import { providerAuthContract, type TermsDocument } from '#contracts'
import { defineStatement, type Reader } from '#database'
import type { Encryptor, Logger } from '#runtime'
import type { RegisteredClient } from './domain/client.ts'
import type { SiteProviderSettings } from './domain/provider-settings.ts'
import { type AccountPageRow, findAccountPage } from './store/account-pages.ts'
import {
  findApplicationOrigin,
  findClient,
  findClientByRedirectUri,
  findDomainCallbackClient,
  listSecretHashes,
} from './store/clients.ts'
import { findProviderSettings, findSiteByName, type SettingsKey } from './store/provider-settings.ts'
import { findPublishedLook, type PublishedLook } from './store/site-looks.ts'
import { findTerms } from './store/site-terms.ts'

/**
 * What administrators configure: clients with their secrets, and provider settings. Logins read it several times, and it
 * changes rarely, so it stays in memory until any of it changes.
 */
export interface SiteSettings extends Disposable {
  readonly findClient: (clientId: string) => Promise<RegisteredClient | undefined>
  /** See `findClientByRedirectUri` of the store. */
  readonly findClientByRedirectUri: (address: {
    site: number
    callback: string
  }) => Promise<RegisteredClient | undefined>
  /** See `findDomainCallbackClient` of the store. */
  readonly findDomainCallbackClient: (site: number) => Promise<RegisteredClient | undefined>
  /** Hashes of the client's valid secrets. */
  readonly listSecretHashes: (clientId: string) => Promise<readonly string[]>
  /** The settings, decrypted, including disabled ones. */
  readonly findProviderSettings: (name: SettingsKey) => Promise<SiteProviderSettings | undefined>
  /** See `findSiteByName` of the store. */
  readonly findSiteByName: (
    names: Parameters<typeof findSiteByName>[1],
  ) => Promise<Pick<SiteProviderSettings, 'site' | 'account' | 'site_id'> | undefined>
  /** See `findApplicationOrigin` of the store. */
  readonly findApplicationOrigin: (site: number) => Promise<string | undefined>
  /** The look that a site published; undefined without one. */
  readonly findLook: (site: number) => Promise<PublishedLook | undefined>
  /** The account page of the site's end users; undefined: they have none. */
  readonly findAccountPage: (site: number) => Promise<AccountPageRow | undefined>
  /** The documents that end users of the site answer to; most sites have none. */
  readonly findTerms: (site: number) => Promise<readonly TermsDocument[]>
  /** Ends the use of earlier settings in all replicas. Call it after each committed change. */
  readonly publishChange: () => void
}

interface SiteSettingsOptions {
  readonly reader: Reader
  readonly encryptor: Encryptor
  readonly bus: Bus
  readonly logger: Logger
}

/** In case a notice was lost. Our choice: as often as gateways learn of changes. */
const checkIntervalMs = 1_000
/** Without a successful check for so long, every look-up asks the database. Our choice. */
const maximumAgeMs = 3_000
/** Names in memory, of each kind; beyond that, all are read again. Our choice. */
const maximumEntries = 10_000

const selectRevision = defineStatement<{ revision: number }>('select revision from settings_revision')

/** The database increments its revision in the transaction of each change, also of one that is not made by this service. */
export function openSiteSettings({ reader, encryptor, bus, logger }: SiteSettingsOptions): SiteSettings {
  const caches: Map<string, unknown>[] = []
  let revision: number | undefined
  let checkedAt = Number.NEGATIVE_INFINITY
  /** Changes whenever the memory is emptied: what was read before must not be stored after. */
  let generation = 0

  const clear = () => {
    generation++
    for (const cache of caches) cache.clear()
  }
  const check = async () => {
    const startedAt = performance.now()
    const [row] = (await selectRevision(reader, [])).rows
    if (row?.revision !== revision) clear()
    revision = row?.revision
    checkedAt = startedAt
  }
  /** Stores found values only, so that unknown names in requests do not fill the memory. */
  const remember = <K, V>(find: (key: K) => Promise<V | undefined>, nameOf: (key: K) => string) => {
    const cache = new Map<string, V>()
    caches.push(cache)
    return async (key: K): Promise<V | undefined> => {
      if (performance.now() - checkedAt > maximumAgeMs) return find(key)
      const name = nameOf(key)
      const known = cache.get(name)
      if (known !== undefined) return known
      const readIn = generation
      const found = await find(key)
      if (found === undefined || readIn !== generation) return found
      if (cache.size >= maximumEntries) cache.clear()
      cache.set(name, found)
      return found
    }
  }
  // While Postgres is unavailable, the age reaches its maximum; look-ups then report the outage.
  const checkInBackground = () => void check().catch(() => {})
  const timer = setInterval(checkInBackground, checkIntervalMs).unref()
  checkInBackground()
  const subscription = subscribeNotice(bus, providerAuthContract, 'settingsChanged', clear, logger)
  const secretHashes = remember(
    async (clientId: string) => {
      const hashes = await listSecretHashes(reader, clientId)
      return hashes.length === 0 ? undefined : hashes
    },
    (clientId) => clientId,
  )
  // Also remembers that a site has none, as most have.
  const looks = remember(async (site: number) => ({ look: await findPublishedLook(reader, site) }), String)
  const accountPages = remember(async (site: number) => ({ page: await findAccountPage(reader, site) }), String)
  const terms = remember(async (site: number) => ({ terms: await findTerms(reader, site) }), String)
  return {
    findClient: remember(
      (clientId: string) => findClient(reader, clientId),
      (clientId) => clientId,
    ),
    findClientByRedirectUri: remember(
      (address: { site: number; callback: string }) => findClientByRedirectUri(reader, address),
      ({ site, callback }) => `${site} ${callback}`,
    ),
    findDomainCallbackClient: remember((site: number) => findDomainCallbackClient(reader, site), String),
    listSecretHashes: async (clientId) => (await secretHashes(clientId)) ?? [],
    findProviderSettings: remember(
      (name: SettingsKey) => findProviderSettings({ reader, encryptor }, name),
      (name) => JSON.stringify(name),
    ),
    findSiteByName: remember(
      (names) => findSiteByName(reader, names),
      ({ account, site_id }) => `${account ?? ''}/${site_id}`,
    ),
    findApplicationOrigin: remember((site: number) => findApplicationOrigin(reader, site), String),
    findLook: async (site) => (await looks(site))?.look,
    async findAccountPage(site) {
      const page = (await accountPages(site))?.page
      return page?.enabled ? page : undefined
    },
    findTerms: async (site) => (await terms(site))?.terms?.documents ?? [],
    publishChange() {
      clear()
      if (bus.connected()) publishNotice(bus, providerAuthContract, 'settingsChanged', {})
    },
    [Symbol.dispose]() {
      clearInterval(timer)
      subscription[Symbol.dispose]()
    },
  }
}
