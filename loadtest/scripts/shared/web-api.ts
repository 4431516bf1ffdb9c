import { check } from 'k6'
import http, { type RefinedResponse } from 'k6/http'
import { Counter, Trend } from 'k6/metrics'
import { web_api } from './prepared.ts'

export type WebApiResponse = RefinedResponse<'text'>

/** Requests to the Web API. If k6 aborts, there are more requests than responses. */
const sent = new Counter('web_api_sent')

/** Responses of the Web API by result; the run compares them with the gateways' counts. */
const counted = {
  served: new Counter('web_api_served'),
  limited: new Counter('web_api_limited'),
  other: new Counter('web_api_other'),
}

/** Duration of Web API requests only, in milliseconds, without login pages. */
const took = new Trend('web_api_took', true)

const servedAlone = http.expectedStatuses(200)
const servedOrLimited = http.expectedStatuses(200, 429)

interface WithKey {
  readonly api_key: string
}

interface CallOptions {
  readonly parameters?: Readonly<Record<string, string>>
  /** 429 is an expected response, not a failure. */
  readonly may_be_limited?: boolean
  /** Additional tags of the request. */
  readonly tags?: Readonly<Record<string, string>>
  /** Additional tags of the counters, from the response. */
  readonly tagged?: (response: WebApiResponse) => Readonly<Record<string, string>>
}

/**
 * Calls an operation with the site's key. Requests are tagged by operation, never by URL, because URLs have a high
 * cardinality and can contain keys.
 */
export function callOperation(
  { api_key }: WithKey,
  operation: string,
  { parameters = {}, ...callOptions }: CallOptions = {},
): WebApiResponse {
  const query = Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  return get(`${web_api}/api/${operation}${query && `?${query}`}`, api_key, operation, callOptions)
}

/** Opens the `next_uri` of a page of `users`. */
export function openNextPage({ api_key }: WithKey, nextUri: string): WebApiResponse {
  return get(nextUri, api_key, 'users')
}

function get(
  address: string,
  apiKey: string,
  operation: string,
  { may_be_limited = false, tags = {}, tagged = () => tags }: Omit<CallOptions, 'parameters'> = {},
): WebApiResponse {
  sent.add(1)
  const response = http.get<'text'>(address, {
    headers: { authorization: `Bearer ${apiKey}` },
    tags: { name: operation, operation, ...tags },
    responseCallback: may_be_limited ? servedOrLimited : servedAlone,
  })
  const what = response.status === 200 ? 'served' : response.status === 429 ? 'limited' : 'other'
  // A request that k6 gave up has no status; the checks fail on it.
  if (response.status !== 0) counted[what].add(1, tagged(response))
  took.add(response.timings.duration)
  return response
}

/** Returns a field of a response by a path such as `user.identifier`. */
export function field(response: WebApiResponse, path: string): unknown {
  try {
    return response.json(path)
  } catch {
    return undefined
  }
}

/** Checks that the operation succeeded, and the given conditions. */
export function succeeded(
  response: WebApiResponse,
  operation: string,
  more: Readonly<Record<string, boolean>> = {},
): boolean {
  return check(response, {
    [`${operation} returns ok`]: () => response.status === 200 && field(response, 'status') === 'ok',
    ...Object.fromEntries(Object.entries(more).map(([what, holds]) => [`${operation}: ${what}`, () => holds])),
  })
}
