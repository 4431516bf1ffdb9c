import { z } from 'zod'
import { limits } from '#contracts'
import {
  busSettings,
  ConfigError,
  configReader,
  databaseSettings,
  isLocalAddress,
  isSecureAddress,
  listenSettings,
  processSettings,
  setting,
} from '#runtime'
import type { OperatorProviderSettings } from './sign-in/operator-provider.ts'

export const readConfig = configReader({
  ...processSettings,
  ...listenSettings(8_085),
  ...databaseSettings,
  ...busSettings,
  /** The console's public address: the origin of passkeys, and the start of links. */
  CONSOLE_URL: setting.baseUrl
    .regex(/^https?:\/\/[^/]+$/, 'must be an origin, without a path')
    .refine(isSecureAddress, 'must be https, or at localhost: browsers support passkeys only there'),
  /** The operator's own OpenID provider, where members can sign in instead of with a passkey: all three or none. */
  OPERATOR_ISSUER: z
    .url({ protocol: /^https?$/ })
    .refine(isSecureAddress, 'must be https, or at localhost')
    .optional(),
  OPERATOR_CLIENT_ID: z.string().optional(),
  OPERATOR_CLIENT_SECRET: z.string().optional(),
  /** Where the documentation is published; the fields of forms link to it. */
  DOCUMENTATION_URL: setting.baseUrl.optional(),
  /** Days that the log of logins, and rejected requests, are stored. */
  LOGIN_LOG_DAYS: setting.whole.pipe(z.int().min(limits.login_log_days).max(90)).default(limits.login_log_days),
  /** `development` at a local address: the link that `npm start` prints signs in without a passkey. */
  NODE_ENV: z.string().optional(),
})

export type Config = ReturnType<typeof readConfig>

/** @throws ConfigError if only some of the three settings are set */
export function readOperatorProvider(config: Config): OperatorProviderSettings | undefined {
  const { OPERATOR_ISSUER: issuer, OPERATOR_CLIENT_ID: clientId, OPERATOR_CLIENT_SECRET: clientSecret } = config
  if (issuer !== undefined && clientId !== undefined && clientSecret !== undefined)
    return { issuer, client_id: clientId, client_secret: clientSecret }
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return undefined
  throw new ConfigError([
    'OPERATOR_ISSUER, OPERATOR_CLIENT_ID and OPERATOR_CLIENT_SECRET must be set together. Set all three, or none.',
  ])
}

/** Whether links can sign in without a passkey. Both conditions are required, so that a wrong NODE_ENV in production has no effect. */
export function isDevelopment({ NODE_ENV, CONSOLE_URL }: Pick<Config, 'NODE_ENV' | 'CONSOLE_URL'>): boolean {
  return NODE_ENV === 'development' && isLocalAddress(CONSOLE_URL)
}
