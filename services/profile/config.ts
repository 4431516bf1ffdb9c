import {
  busSettings,
  configReader,
  databaseSettings,
  encryptionKeysSettings,
  personalDataSettings,
  processSettings,
  replicaSettings,
} from '#runtime'

export const readConfig = configReader({
  ...processSettings,
  ...databaseSettings,
  ...replicaSettings,
  ...busSettings,
  /** The key ring that encrypts the keys of search terms and of personal data: the value itself or a file; set exactly one. */
  ...encryptionKeysSettings,
  ...personalDataSettings,
})
export type Config = ReturnType<typeof readConfig>
