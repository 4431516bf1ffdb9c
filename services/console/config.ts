import { z } from 'zod'
import { configReader, processSettings, setting } from '#runtime'

export const readConfig = configReader({
  ...processSettings,
  PORT: setting.port.default(8_085),
  DATABASE_URL: setting.postgres_url,
  NATS_URL: setting.nats_url,
  /** The console's public address: the origin that passkeys belong to, and what links begin with. */
  CONSOLE_URL: setting.base_url.regex(/^https?:\/\/[^/]+$/, 'must be an origin, without a path'),
  /** How many proxies in front append to `X-Forwarded-For`; 0: the header is ignored. */
  TRUSTED_PROXY_HOPS: setting.whole.default(0),
  /** `development` at a local address: the link that `npm start` prints signs in without a passkey. */
  NODE_ENV: z.string().optional(),
})

export type Config = ReturnType<typeof readConfig>

/** Whether a link may sign in without a passkey: two things must say so, of which nobody sets the second by mistake. */
export function isDevelopment({ NODE_ENV, CONSOLE_URL }: Pick<Config, 'NODE_ENV' | 'CONSOLE_URL'>): boolean {
  return NODE_ENV === 'development' && ['localhost', '127.0.0.1'].includes(new URL(CONSOLE_URL).hostname)
}
