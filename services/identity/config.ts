import { busSettings, configReader, databaseSettings, processSettings, replicaSettings } from '#runtime'

export const readConfig = configReader({
  ...processSettings,
  ...databaseSettings,
  ...replicaSettings,
  ...busSettings,
})
export type Config = ReturnType<typeof readConfig>
