import type { Knex } from 'knex'
import type { Registry } from 'prom-client'
import type { FindTxtRecord } from '#http-client'
import type { Encryptor, Logger } from '#runtime'
import type { DestinationRules } from './audit-streams/destination.ts'
import type { RecordSender } from './audit-streams/send-records.ts'
import type { ServiceClients } from './bus.ts'
import type { Exporter } from './exports/exporter.ts'
import type { NoticeSender } from './notices/sender.ts'
import type { PictureThread } from './pictures/picture-thread.ts'
import type { UserPictures } from './pictures/user-pictures.ts'
import type { AccountProviders } from './sign-in/account-providers.ts'
import type { OperatorProvider } from './sign-in/operator-provider.ts'

/** Dependencies of the handlers and routes. */
export interface Deps extends ServiceClients {
  readonly knex: Knex
  /** The public address of the console: the origin of passkeys, and the start of links. */
  readonly consoleUrl: string
  /** Where the documentation is published; empty: nowhere. */
  readonly documentationUrl: string
  /** Where members can sign in instead of with a passkey. */
  readonly operatorProvider: OperatorProvider | undefined
  /** Where members of an account can sign in. */
  readonly accountProviders: AccountProviders
  /** Looks for the TXT record that proves a domain. */
  readonly findTxtRecord: FindTxtRecord
  /** A development machine: a sign-in link signs in without a passkey. */
  readonly isDevelopment: boolean
  /** Sent with every response. */
  readonly headers: Readonly<Record<string, string>>
  /** Number of trusted proxies that append to `X-Forwarded-For`. */
  readonly trustedHops: number
  readonly exporter: Pick<Exporter, 'enqueue'>
  /** Encrypts the URLs of chats and the secrets of audit streams. */
  readonly encryptor: Encryptor
  readonly streamSender: RecordSender
  /** Where audit streams may be sent. */
  readonly streamRules: DestinationRules
  /** How long logins and rejected requests are stored. */
  readonly loginLogDays: number
  /** Sends notices to channels. */
  readonly notices: NoticeSender
  /** Whether the URL of a chat can be used, as far as it shows. */
  readonly isUrlAllowed: (url: string) => boolean
  readonly pictureThread: PictureThread
  readonly userPictures: UserPictures
  readonly now: () => Date
  readonly logger: Logger
  readonly registry: Registry
}
