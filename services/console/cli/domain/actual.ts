import type { z } from 'zod'
import type {
  Account,
  AdminApi,
  AdminSite,
  ApiKey,
  Client,
  ProviderSettings,
  SiteHosts,
  SiteLook,
  WebhookEndpoint,
} from '#admin-api'
import type { ActualSections } from './sections/index.ts'

/** The actual state of a site. */
export interface ActualSite {
  readonly settings: AdminSite
  readonly clients: readonly z.infer<typeof Client>[]
  readonly providers: readonly z.infer<typeof ProviderSettings>[]
  readonly keys: readonly z.infer<typeof ApiKey>[]
  readonly webhooks: readonly WebhookEndpoint[]
  readonly hosts: SiteHosts
  readonly look: SiteLook
  readonly sections: ActualSections
  /** The pictures of the published look by ID. Empty if no look is compared or exported. */
  readonly pictures: StoredPictures
}

export type StoredPictures = ReadonlyMap<string, z.infer<AdminApi['readPicture']['output']>>

export interface ActualAccount {
  readonly account: z.infer<typeof Account>
  readonly sites: ReadonlyMap<string, ActualSite>
}

/** Accounts by their slug. */
export type Actual = ReadonlyMap<string, ActualAccount>
