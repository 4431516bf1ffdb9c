import { z } from 'zod'
import { limits, ProviderNamesSetting, providerNames } from '#contracts'
import {
  busSettings,
  configReader,
  databaseSettings,
  encryptionKeysSettings,
  personalDataSettings,
  processSettings,
  setting,
} from '#runtime'

export const readConfig = configReader({
  ...processSettings,
  ...databaseSettings,
  ...busSettings,
  /** The key ring that encrypts the secrets of endpoints and the keys of personal data: the value itself or a file; set exactly one. */
  ...encryptionKeysSettings,
  ...personalDataSettings,
  /** Private addresses to which webhooks may be sent, also without TLS, e.g. `10.0.0.0/8,192.168.5.4`. By default none. */
  WEBHOOK_PRIVATE_ADDRESSES: setting.addresses.default([]),
  /** Wire names of login providers that differ from the neutral tokens: `<token>:<name>[,…]`. */
  PROVIDER_NAMES: setting.pairs.pipe(ProviderNamesSetting).default(() => providerNames()),
  /** Days that events remain in the stream. */
  EVENTS_DAYS: setting.whole.pipe(z.int().min(1).max(3_650)).default(limits.events_days),
})
export type Config = ReturnType<typeof readConfig>
