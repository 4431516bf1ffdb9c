import { Agent, request } from 'undici'
import type { ChatFormat } from '#admin-api'
import { classifyRequestError, createGuardedConnector } from '#http-client'
import type { DeliveryFailure } from '../store/notice-channels.ts'

/** Timeouts of a connection, and of a request from connecting to the response. Our choice. */
const connectTimeoutMs = 5_000
const requestTimeoutMs = 10_000
const responseBytes = 1_024
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
  const connect = createGuardedConnector({ timeoutMs: connectTimeoutMs, isPrivateAllowed })
  const dispatcher = new Agent({ connect, allowH2: false })
  return {
    async send({ url, format, text }) {
      const signal = AbortSignal.timeout(requestTimeoutMs)
      const headers = { 'content-type': 'application/json', 'user-agent': 'social-login' }
      try {
        const body = JSON.stringify(toChatBody(format, text))
        const response = await request(url, { method: 'POST', headers, body, signal, dispatcher })
        response.body.dump({ limit: responseBytes, signal }).catch(() => undefined)
        const { statusCode: status } = response
        return status >= 200 && status < 300 ? undefined : { error: 'rejected', status }
      } catch (error) {
        return { error: classifyRequestError(error), status: null }
      }
    },
    [Symbol.asyncDispose]: () => dispatcher.destroy(),
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
