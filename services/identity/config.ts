import { configReader, processSettings, setting } from '#runtime'

export const readConfig = configReader({
  ...processSettings,
  DATABASE_URL: setting.postgres_url,
  NATS_URL: setting.nats_url,
})
export type Config = ReturnType<typeof readConfig>
