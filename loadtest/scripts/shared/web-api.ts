import { check } from 'k6'
import http, { type RefinedResponse } from 'k6/http'
import { Counter, Trend } from 'k6/metrics'
import { web_api } from './prepared.ts'

export type Answer = RefinedResponse<'text'>

/** Requests to the Web API; when k6 gives up in the middle there are more of them than answers. */
const sent = new Counter('web_api_sent')

/** Every answer of the Web API by what it was; the run compares them with what the gateways counted. */
const counted = {
  served: new Counter('web_api_served'),
  limited: new Counter('web_api_limited'),
  other: new Counter('web_api_other'),
}

/** Of the Web API alone, in milliseconds; a login's pages are not in it. */
const took = new Trend('web_api_took', true)

const servedAlone = http.expectedStatuses(200)
const servedOrLimited = http.expectedStatuses(200, 429)

interface WithKey {
  readonly api_key: string
}

interface Asked {
  readonly parameters?: Readonly<Record<string, string>>
  /** 429 is an answer to be expected, not a failure. */
  readonly may_be_limited?: boolean
  /** More tags of the request. */
  readonly tags?: Readonly<Record<string, string>>
  /** More tags of what is counted, by what the answer says. */
  readonly tagged?: (answer: Answer) => Readonly<Record<string, string>>
}

/**
 * Calls an operation with the site's key. Requests are known by their operation; no address is kept as a tag, for addresses
 * are many and can hold keys.
 */
export function ask({ api_key }: WithKey, operation: string, { parameters = {}, ...asked }: Asked = {}): Answer {
  const query = Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  return get(`${web_api}/api/${operation}${query && `?${query}`}`, api_key, operation, asked)
}

/** Opens the `next_uri` of a page of `users`. */
export function askNext({ api_key }: WithKey, nextUri: string): Answer {
  return get(nextUri, api_key, 'users')
}

function get(
  address: string,
  apiKey: string,
  operation: string,
  { may_be_limited = false, tags = {}, tagged = () => tags }: Omit<Asked, 'parameters'> = {},
): Answer {
  sent.add(1)
  const answer = http.get<'text'>(address, {
    headers: { authorization: `Bearer ${apiKey}` },
    tags: { name: operation, operation, ...tags },
    responseCallback: may_be_limited ? servedOrLimited : servedAlone,
  })
  const what = answer.status === 200 ? 'served' : answer.status === 429 ? 'limited' : 'other'
  counted[what].add(1, tagged(answer))
  took.add(answer.timings.duration)
  return answer
}

/** An answer's field, found by a path such as `user.identifier`. */
export function field(answer: Answer, path: string): unknown {
  try {
    return answer.json(path)
  } catch {
    return undefined
  }
}

/** Checks that the operation succeeded, and what else is named. */
export function succeeded(answer: Answer, operation: string, more: Readonly<Record<string, boolean>> = {}): boolean {
  return check(answer, {
    [`${operation} answers ok`]: () => answer.status === 200 && field(answer, 'status') === 'ok',
    ...Object.fromEntries(Object.entries(more).map(([what, holds]) => [`${operation}: ${what}`, () => holds])),
  })
}
