import type { Answer } from './client.ts'

const timeoutMs = 10_000

/** The Admin API of the demo's account, with a token of the operators. */
export interface AdminApi {
  /** Throws if there was no answer. */
  readonly send: (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<AdminAnswer>
  /** The JSON of a successful answer. @throws if it was another one */
  readonly read: (path: string) => Promise<unknown>
}

export interface AdminAnswer extends Answer {
  readonly etag: string
}

/** @param address of the console */
export function openAdminApi(address: string, account: string, consoleToken: string): AdminApi {
  const send: AdminApi['send'] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${address}/admin/v1/accounts/${account}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${consoleToken}`,
        connection: 'close',
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body ? JSON.stringify(body) : null,
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status: response.status, body: await response.text(), etag: response.headers.get('etag') ?? '' }
  }
  return {
    send,
    async read(path) {
      const { status, body } = await send('GET', path)
      if (status !== 200) throw new Error(`${path} returned ${status}.`)
      return JSON.parse(body)
    },
  }
}
