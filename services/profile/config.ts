import { busSettings, configReader, databaseSettings, processSettings } from '#runtime'

export const readConfig = configReader({
  ...processSettings,
  ...databaseSettings,
  ...busSettings,
})
export type Config = ReturnType<typeof readConfig>
