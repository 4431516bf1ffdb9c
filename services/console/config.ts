import { z } from 'zod'
import { limits } from '#contracts'
import {
  busSettings,
  ConfigError,
  configReader,
  databaseSettings,
  encryptionKeysSettings,
  isLocalAddress,
  isSecureAddress,
  listenSettings,
  processSettings,
  setting,
} from '#runtime'
import type { MailServer } from './notices/send-email.ts'
import type { OperatorProviderSettings } from './sign-in/operator-provider.ts'

export const readConfig = configReader({
  ...processSettings,
  ...listenSettings(8_085),
  ...databaseSettings,
  ...busSettings,
  /**
   * The key ring that encrypts URLs of chats, secrets of audit streams, and those of the accounts' OpenID Providers: the value itself or
   * a file; set exactly one.
   */
  ...encryptionKeysSettings,
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
  /** Private addresses where OpenID Providers of accounts may be, also without TLS, e.g. `10.0.0.0/8`. By default none. */
  SIGN_IN_PRIVATE_ADDRESSES: setting.addresses.default([]),
  /** DNS servers that are asked for the proof of a domain, e.g. `9.9.9.9,1.1.1.1`. By default those of the machine. */
  DOMAIN_PROOF_DNS_SERVERS: setting.servers.default([]),
  /** Days that the log of logins, and rejected requests, are stored. */
  LOGIN_LOG_DAYS: setting.whole.pipe(z.int().min(limits.login_log_days).max(90)).default(limits.login_log_days),
  /**
   * The mail server for notices, with its credentials: `smtp://` with STARTTLS, or `smtps://`. Without it, channels for notices are chats
   * only.
   */
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// URL' }).optional(),
  /** The sender of notices, e.g. `Social login <notices@example.com>`. */
  SMTP_FROM: z
    .string()
    .regex(
      /^[^<>@\r\n]*<[^<>@\s]+@[^<>@\s]+>$|^[^<>@\s]+@[^<>@\s]+$/,
      'must be an e-mail address, or a name and <address>',
    )
    .optional(),
  /** Private addresses to which notices may be sent, also without TLS, e.g. `10.0.0.0/8,192.168.5.4`. By default none. */
  WEBHOOK_PRIVATE_ADDRESSES: setting.addresses.default([]),
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

/** @throws ConfigError if only one of the two settings is set */
export function readMailServer({ SMTP_URL: url, SMTP_FROM: from }: Config): MailServer | undefined {
  if (url !== undefined && from !== undefined) return { url, from }
  if (url === undefined && from === undefined) return undefined
  throw new ConfigError(['SMTP_URL and SMTP_FROM must be set together. Set both, or none.'])
}

/** Whether links can sign in without a passkey. Both conditions are required, so that a wrong NODE_ENV in production has no effect. */
export function isDevelopment({ NODE_ENV, CONSOLE_URL }: Pick<Config, 'NODE_ENV' | 'CONSOLE_URL'>): boolean {
  return NODE_ENV === 'development' && isLocalAddress(CONSOLE_URL)
}
