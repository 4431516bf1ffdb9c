/** Timeout for the response of an application's server. Our choice. */
const timeoutMs = 10_000

/** The response of an application's server. */
interface WebhookResponse {
  readonly status: number
  /** The first 500 characters. */
  readonly text: string
}

/**
 * Sends a webhook to an application's server, once; undefined if the server is unreachable or does not respond in time.
 */
export async function sendWebhook(
  uri: string,
  request: Pick<RequestInit, 'headers' | 'body'>,
): Promise<WebhookResponse | undefined> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(uri, { ...request, method: 'POST', redirect: 'manual', signal })
    return { status: response.status, text: (await response.text()).slice(0, 500) }
  } catch {
    return undefined
  }
}
