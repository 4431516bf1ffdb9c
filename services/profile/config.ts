import { busSettings, configReader, databaseSettings, encryptionKeysSettings, processSettings } from '#runtime'

export const readConfig = configReader({
  ...processSettings,
  ...databaseSettings,
  ...busSettings,
  /** The key ring that encrypts the keys of search terms: the value itself or a file; set exactly one. */
  ...encryptionKeysSettings,
})
export type Config = ReturnType<typeof readConfig>
