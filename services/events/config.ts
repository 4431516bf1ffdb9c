import { z } from 'zod'
import { limits } from '#contracts'
import { busSettings, configReader, databaseSettings, processSettings, setting } from '#runtime'

export const readConfig = configReader({
  ...processSettings,
  ...databaseSettings,
  ...busSettings,
  /** Days that events remain in the stream. */
  EVENTS_DAYS: setting.whole.pipe(z.int().min(1).max(3_650)).default(limits.events_days),
})
export type Config = ReturnType<typeof readConfig>
