import { busSettings, configReader, processSettings, setting } from '#runtime'

export const readConfig = configReader({
  ...processSettings,
  DATABASE_URL: setting.postgres_url,
  ...busSettings,
})
export type Config = ReturnType<typeof readConfig>
