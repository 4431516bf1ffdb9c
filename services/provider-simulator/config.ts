import { configReader, listenSettings, processSettings, setting } from '#runtime'

export const readConfig = configReader({
  ...processSettings,
  ...listenSettings(8_090),
  /** The address under which browsers and servers reach the simulator; a provider lives at `<SIMULATOR_URL>/<provider>`. */
  SIMULATOR_URL: setting.baseUrl,
})

export type Config = ReturnType<typeof readConfig>
