import type { ChatFormat } from '#admin-api'
import { createRequestSender, isAccepted } from '#http-client'
import type { DeliveryFailure } from '../store/notice-channels.ts'

/** From connecting to the response. Our choice. */
const timeoutMs = 10_000
/** Discord rejects longer messages. */
const contentLength = 2_000

export interface ChatMessage {
  /** A secret. */
  readonly url: string
  readonly format: ChatFormat
  readonly text: string
}

/** Sends messages to chats until disposed, which ends running requests. */
export interface ChatSender extends AsyncDisposable {
  /** Makes one request; it never throws. Redirects are not followed. @returns undefined if the response was 2xx */
  readonly send: (message: ChatMessage) => Promise<DeliveryFailure | undefined>
}

/** @param isPrivateAllowed which private addresses the installation allows */
export function createChatSender(isPrivateAllowed: (address: string) => boolean): ChatSender {
  const requests = createRequestSender(isPrivateAllowed)
  const headers = { 'content-type': 'application/json', 'user-agent': 'social-login' }
  return {
    async send({ url, format, text }) {
      const outcome = await requests.send(
        url,
        { headers, body: JSON.stringify(toChatBody(format, text)) },
        { timeoutMs },
      )
      if (isAccepted(outcome)) return undefined
      const { error, status } = outcome
      return { error: error ?? 'rejected', status }
    },
    [Symbol.asyncDispose]: () => requests[Symbol.asyncDispose](),
  }
}

function toChatBody(format: ChatFormat, text: string): object {
  if (format === 'text') return { text }
  // Of the chats that expect `content`, mentions must be switched off explicitly.
  const content = text.length > contentLength ? `${text.slice(0, contentLength - 1)}…` : text
  return { content, allowed_mentions: { parse: [] } }
}

/** The format of a chat's URL, by its host. */
export function findChatFormat(url: string): ChatFormat {
  return /(^|\.)discord(app)?\.com$/.test(new URL(url).hostname) ? 'content' : 'text'
}
