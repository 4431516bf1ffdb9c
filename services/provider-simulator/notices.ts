/** How long an application's server may take to answer a notice. Our choice. */
const timeoutMs = 10_000

/** What an application's server answered to a notice. */
interface NoticeAnswer {
  readonly status: number
  /** The first 500 characters. */
  readonly text: string
}

/** Sends a notice to an application's server, once; undefined when it could not be reached or did not answer in time. */
export async function sendNotice(
  uri: string,
  request: Pick<RequestInit, 'headers' | 'body'>,
): Promise<NoticeAnswer | undefined> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(uri, { ...request, method: 'POST', redirect: 'manual', signal })
    return { status: response.status, text: (await response.text()).slice(0, 500) }
  } catch {
    return undefined
  }
}
