import { readingPosts, routes } from 'virtual:contract'
import { parseFault, RequestFault } from './fault.ts'
import { noticeWrite, secondsSinceWrite } from './last-write.ts'
import type { AdminInput, AdminOutput, ProcedureName } from './types.ts'

export interface RequestOptions {
  /** Revision that the change is based on. The service rejects the change if it is not the current one. */
  readonly revision?: number
  readonly signal?: AbortSignal
}

/**
 * Calls a procedure of the Admin API.
 *
 * @throws RequestFault the error of the Admin API, with the invalid fields
 */
export async function call<N extends ProcedureName>(
  name: N,
  input: AdminInput<N>,
  { revision, signal }: RequestOptions = {},
): Promise<AdminOutput<N>> {
  const [method = '', path = ''] = routes[name].split(' ')
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined))
  const filled = path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = String(rest.get(parameter))
    rest.delete(parameter)
    return encodeURIComponent(value)
  })
  const inQuery = method === 'GET' || method === 'DELETE'
  const query = inQuery ? `?${new URLSearchParams([...rest].map(([key, value]) => [key, String(value)]))}` : ''
  const reads = method === 'GET' || readingPosts.includes(name)
  const sending = sendRequest<AdminOutput<N>>(`/admin/v1${filled}${query === '?' ? '' : query}`, {
    method,
    headers: {
      ...(revision === undefined ? {} : { 'If-Match': `"${revision}"` }),
      ...(reads ? { 'Cache-Control': `max-age=${secondsSinceWrite()}` } : {}),
    },
    ...(inQuery ? {} : { body: JSON.stringify(Object.fromEntries(rest)) }),
    ...(signal === undefined ? {} : { signal }),
  })
  return reads ? sending : sending.finally(noticeWrite)
}

/** Sends JSON to the service with the header `X-Console`, which pages of other origins cannot set. */
export async function sendRequest<T>(address: string, { headers, ...init }: RequestInit): Promise<T> {
  let response: Response
  try {
    response = await fetch(address, {
      ...init,
      headers: {
        ...headers,
        'X-Console': '1',
        ...(init.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
    })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new RequestFault('unreachable', error instanceof Error ? error.message : String(error))
  }
  if (!response.ok) throw await parseFault(response)
  // The service validates responses with the contract before it sends them.
  return (await response.json()) as T
}
