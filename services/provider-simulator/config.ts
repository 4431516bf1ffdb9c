import { configReader, processSettings, setting } from '#runtime'

export const readConfig = configReader({
  ...processSettings,
  PORT: setting.port.default(8_090),
  /** The address under which browsers and servers reach the simulator; a provider lives at `<SIMULATOR_URL>/<provider>`. */
  SIMULATOR_URL: setting.base_url,
})

export type Config = ReturnType<typeof readConfig>
