import type { Answer } from './client.ts'
import type { FaultSite } from './site.ts'

export interface WebApiAnswer extends Answer {
  /** The status, and the code of an error: `200`, `404 7`. */
  readonly outcome: string
  readonly headers: Headers
}

/** Calls an operation once. @throws if there is no answer */
export async function callWebApi(
  { web_api, demo }: Pick<FaultSite, 'web_api' | 'demo'>,
  operation: string,
  parameters: Readonly<Record<string, string>>,
  idempotencyKey?: string,
): Promise<WebApiAnswer> {
  const response = await fetch(`${web_api}/${operation}?${new URLSearchParams(parameters)}`, {
    headers: {
      authorization: `Bearer ${demo.api_key}`,
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
  })
  const body = await response.text()
  const code = /"code":(\d+)/.exec(body)?.[1]
  const { status, headers } = response
  return { status, headers, body, outcome: [status, ...(code === undefined ? [] : [code])].join(' ') }
}
