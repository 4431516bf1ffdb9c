import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { configReader, setting } from '#runtime'
import { toServerUrl } from './redis-server-url.ts'

/** The root directory of the repository. */
export const root = join(import.meta.dirname, '../..')

const port = setting.port.pipe(z.int().min(1))

/** Environment variables of `npm start` and `npm test`. */
export const readSettings = configReader({
  WEB_API_PORT: port.default(8_080),
  AUTH_PORT: port.default(8_081),
  SIMULATOR_PORT: port.default(8_090),
  SHOP_PORT: port.default(8_088),
  CONSOLE_PORT: port.default(8_085),
  /** Directory of all data. Several instances can run at once with different directories and ports. */
  LOCAL_DIRECTORY: z
    .string()
    .default('.local')
    .transform((path) => (isAbsolute(path) ? path : join(root, path))),
  /** External servers to use instead of starting our own; the user of the first must be able to create roles and databases. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  REDIS_URL: z
    .string()
    .refine(
      (url) => URL.canParse(toServerUrl(url)),
      'must be redis://, rediss://, redis+cluster:// or rediss+cluster://',
    )
    .optional(),
  NATS_URL: setting.nats_url.optional(),
})
export type LocalSettings = ReturnType<typeof readSettings>
