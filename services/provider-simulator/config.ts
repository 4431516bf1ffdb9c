import { configReader, listenSettings, processSettings, setting } from '#runtime'

export const readConfig = configReader({
  ...processSettings,
  ...listenSettings(8_090),
  /** The base URL for browsers; a provider is at `<SIMULATOR_URL>/<provider>`. */
  SIMULATOR_URL: setting.baseUrl,
})

export type Config = ReturnType<typeof readConfig>
