import { once } from 'node:events'
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expectDocumented } from './documented-responses.ts'

export interface RawRequest {
  readonly method?: string
  /** The target in the request line, unchanged. */
  readonly path: string
  readonly headers?: OutgoingHttpHeaders | readonly string[]
  readonly body?: string | Buffer
}

/** Sends a request exactly as given. `fetch` normalizes URLs and adds header fields. */
export async function sendRawRequest(
  base: string,
  { method = 'GET', path, headers = {}, body }: RawRequest,
): Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: unknown }> {
  const { hostname, port } = new URL(base)
  const sending = request({ hostname, port, method, path, headers, agent: false })
  sending.end(body)
  const [response] = await once(sending, 'response')
  const bodyText = await text(response)
  const { statusCode: status, headers: responseHeaders } = response
  const parsed: unknown = bodyText === '' ? undefined : JSON.parse(bodyText)
  const [pathname = ''] = path.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1)
  await expectDocumented(
    { origin: new URL(base).origin, pathname },
    {
      method,
      status,
      body: parsed,
      cache_control: responseHeaders['cache-control'],
    },
  )
  return { status, headers: responseHeaders, body: parsed }
}
