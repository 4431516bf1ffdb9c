import { createTransport } from 'nodemailer'
import { isLocalAddress } from '#runtime'
import type { DeliveryFailure } from '../store/notice-channels.ts'

/** The operator's mail server. */
export interface MailServer {
  /** With its credentials: a secret. */
  readonly url: string
  /** The sender. */
  readonly from: string
}

export interface Email {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The part of the Message-ID before `@`: the same when the message is sent again. */
  readonly message_id: string
}

/** Sends an e-mail; it never throws. @returns undefined if the mail server accepted it */
export type SendEmail = (email: Email) => Promise<DeliveryFailure | undefined>

/** Timeouts of a connection, and of each response of the mail server. Our choice. */
const connectTimeoutMs = 5_000
const responseTimeoutMs = 10_000

/**
 * @param host of the console, for Message-IDs
 * @returns undefined without a mail server
 */
export function createEmailSender(server: MailServer | undefined, host: string): SendEmail | undefined {
  if (server === undefined) return undefined
  const { protocol, username, hostname } = new URL(server.url)
  // Credentials are not sent in clear, except on this machine.
  const requireTLS = protocol === 'smtp:' && username !== '' && !isLocalAddress(`http://${hostname}`)
  const transport = createTransport({
    url: server.url,
    ...(requireTLS && { requireTLS }),
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: responseTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async ({ message_id, ...email }) => {
    try {
      await transport.sendMail({
        ...email,
        from: server.from,
        messageId: `<${message_id}@${host}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
      return undefined
    } catch (error) {
      return classify(error)
    }
  }
}

/** The error's message is not used: it can contain the address. */
function classify(error: unknown): DeliveryFailure {
  const code = String(Reflect.get(Object(error), 'code') ?? '')
  const responseCode: unknown = Reflect.get(Object(error), 'responseCode')
  const status = typeof responseCode === 'number' ? responseCode : null
  if (code === 'EAUTH' || code === 'ENOAUTH') return { error: 'authentication', status }
  if (code === 'ETLS' || /CERT|SSL|TLS|SIGNATURE/.test(code)) return { error: 'tls', status }
  if (code === 'ETIMEDOUT') return { error: 'timeout', status }
  return { error: status === null ? 'network' : 'rejected', status }
}
