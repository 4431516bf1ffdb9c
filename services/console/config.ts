import { z } from 'zod'
import {
  busSettings,
  ConfigError,
  configReader,
  isLocalAddress,
  isSecureAddress,
  listenSettings,
  processSettings,
  setting,
} from '#runtime'
import type { ProviderSettings } from './sign-in/provider.ts'

export const readConfig = configReader({
  ...processSettings,
  ...listenSettings(8_085),
  DATABASE_URL: setting.postgres_url,
  ...busSettings,
  /** The console's public address: the origin that passkeys belong to, and what links begin with. */
  CONSOLE_URL: setting.baseUrl
    .regex(/^https?:\/\/[^/]+$/, 'must be an origin, without a path')
    .refine(isSecureAddress, 'must be https, or at localhost: browsers have passkeys nowhere else'),
  /** The operator's own OpenID provider, where members may sign in instead of by passkey: all three or none. */
  OPERATOR_ISSUER: z
    .url({ protocol: /^https?$/ })
    .refine(isSecureAddress, 'must be https, or at localhost')
    .optional(),
  OPERATOR_CLIENT_ID: z.string().optional(),
  OPERATOR_CLIENT_SECRET: z.string().optional(),
  /** `development` at a local address: the link that `npm start` prints signs in without a passkey. */
  NODE_ENV: z.string().optional(),
})

export type Config = ReturnType<typeof readConfig>

/** @throws ConfigError when some of the three settings are there and others not */
export function readOperatorProvider(config: Config): ProviderSettings | undefined {
  const { OPERATOR_ISSUER: issuer, OPERATOR_CLIENT_ID: clientId, OPERATOR_CLIENT_SECRET: clientSecret } = config
  if (issuer !== undefined && clientId !== undefined && clientSecret !== undefined)
    return { issuer, client_id: clientId, client_secret: clientSecret }
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return undefined
  throw new ConfigError([
    'OPERATOR_ISSUER, OPERATOR_CLIENT_ID and OPERATOR_CLIENT_SECRET are set together or not at all.',
  ])
}

/** Whether a link may sign in without a passkey: two things must say so, of which nobody sets the second by mistake. */
export function isDevelopment({ NODE_ENV, CONSOLE_URL }: Pick<Config, 'NODE_ENV' | 'CONSOLE_URL'>): boolean {
  return NODE_ENV === 'development' && isLocalAddress(CONSOLE_URL)
}
