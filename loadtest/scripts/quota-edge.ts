import { check, sleep } from 'k6'
import { siteAt } from './shared/prepared.ts'
import { atRate, minutes, withCommonThresholds } from './shared/run.ts'
import { callOperation, type WebApiResponse } from './shared/web-api.ts'
import { checkLimitedResponse, limit, readReset, windowOf, windowSeconds } from './shared/window.ts'

export { summary as handleSummary } from './shared/run.ts'

const floodSeconds = minutes(3) * 60
const wholeWindows = Math.floor(floodSeconds / windowSeconds)

/** 12,000 requests a minute with one key, together with a client that obeys Retry-After, and one that returns afterwards. */
export const options = withCommonThresholds(
  {
    flood: atRate(12_000 / 60, floodSeconds, { exec: 'flood' }),
    obedient: {
      executor: 'per-vu-iterations',
      exec: 'obedient',
      vus: 1,
      iterations: wholeWindows,
      startTime: '1s',
      maxDuration: `${floodSeconds + 2 * windowSeconds}s`,
    },
  },
  Object.fromEntries(
    Array.from({ length: wholeWindows }, (_, n) => [`web_api_served{window:${n}}`, [`count==${limit}`]]),
  ),
)

export function flood() {
  checkResponse(callOnce())
}

/** Sends requests until it is limited, waits exactly Retry-After, and is served. */
export function obedient() {
  for (;;) {
    const response = callOnce()
    checkResponse(response)
    if (response.status === 429) {
      sleep(Number(response.headers['Retry-After']))
      const next = callOnce()
      checkResponse(next)
      check(next, { 'who waits for Retry-After is served': () => next.status === 200 })
      return
    }
    sleep(0.5)
  }
}

function callOnce(): WebApiResponse {
  return callOperation(siteAt(0), 'appinfo', {
    may_be_limited: true,
    tagged: (response) => ({ window: windowOf(response) }),
  })
}

function checkResponse(response: WebApiResponse): void {
  check(response, {
    'a response is 200 or 429': () => response.status === 200 || response.status === 429,
    'a response says when the window ends': () => !Number.isNaN(readReset(response)),
  })
  if (response.status === 429) checkLimitedResponse(response)
}
