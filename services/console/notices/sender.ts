import type { Encryptor } from '#runtime'
import type { DeliveryFailure, StoredChannel } from '../store/notice-channels.ts'
import { decryptChatUrl } from './chat-urls.ts'
import type { RenderedMessage } from './render.ts'
import type { ChatSender } from './send-chat.ts'
import type { SendEmail } from './send-email.ts'

/** Sends messages to channels. */
export interface NoticeSender {
  /** Whether the operator has set up a mail server. */
  readonly isEmailAvailable: boolean
  /**
   * Makes one attempt; it never throws.
   *
   * @param messageId the same when the message is sent again
   * @returns undefined if the message was accepted
   */
  readonly send: (
    channel: Pick<StoredChannel, 'channel_id' | 'email_address' | 'chat_url_encrypted' | 'chat_format'>,
    message: RenderedMessage,
    messageId: string,
  ) => Promise<DeliveryFailure | undefined>
}

export function createNoticeSender({
  sendEmail,
  chats,
  encryptor,
}: {
  readonly sendEmail: SendEmail | undefined
  readonly chats: ChatSender
  readonly encryptor: Pick<Encryptor, 'decrypt'>
}): NoticeSender {
  return {
    isEmailAvailable: sendEmail !== undefined,
    async send({ channel_id, email_address, chat_url_encrypted, chat_format }, message, messageId) {
      if (email_address !== null) {
        if (sendEmail === undefined) return { error: 'not_configured', status: null }
        const { subject, text, html } = message
        return sendEmail({ to: email_address, subject, text, html, message_id: messageId })
      }
      if (chat_url_encrypted === null) return { error: 'not_readable', status: null }
      // The encryptor logs and counts the failure.
      const url = await decryptChatUrl(encryptor, channel_id, chat_url_encrypted).catch(() => undefined)
      if (url === undefined) return { error: 'not_readable', status: null }
      return chats.send({ url, format: chat_format ?? 'text', text: message.chat })
    },
  }
}
