import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { configReader, setting } from '#runtime'

/** The checkout. */
export const root = join(import.meta.dirname, '../..')

const port = setting.port.pipe(z.int().min(1))

/** What the person may set in the environment. */
export const readSettings = configReader({
  WEB_API_PORT: port.default(8_080),
  AUTH_PORT: port.default(8_081),
  SIMULATOR_PORT: port.default(8_090),
  SHOP_PORT: port.default(8_088),
  CONSOLE_PORT: port.default(8_085),
  /** Where everything of a run is kept; with ports of its own, several run side by side. */
  LOCAL_DIRECTORY: z
    .string()
    .default('.local')
    .transform((path) => (isAbsolute(path) ? path : join(root, path))),
  /** Servers to use instead of our own; the first must let us create roles and databases. */
  DATABASE_URL: setting.postgres_url.optional(),
  REDIS_URL: setting.redisUrl.optional(),
  NATS_URL: setting.nats_url.optional(),
})
export type Settings = ReturnType<typeof readSettings>
