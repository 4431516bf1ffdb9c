import { check, sleep } from 'k6'
import { siteAt } from './shared/prepared.ts'
import { atRate, minutes, promises } from './shared/run.ts'
import { type Answer, ask } from './shared/web-api.ts'
import { checkRefusal, limit, resetOf, windowOf, windowSeconds } from './shared/window.ts'

export { summary as handleSummary } from './shared/run.ts'

const floodSeconds = minutes(3) * 60
const wholeWindows = Math.floor(floodSeconds / windowSeconds)

/** 12,000 a minute on one key; beside it one client that does as it is told, and one that comes back afterwards. */
export const options = promises(
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
  judge(askOnce())
}

/** Asks until it is refused, waits exactly as long as it is told, and is served. */
export function obedient() {
  for (;;) {
    const answer = askOnce()
    judge(answer)
    if (answer.status === 429) {
      sleep(Number(answer.headers['Retry-After']))
      const next = askOnce()
      judge(next)
      check(next, { 'who waits for Retry-After is served': () => next.status === 200 })
      return
    }
    sleep(0.5)
  }
}

function askOnce(): Answer {
  return ask(siteAt(0), 'appinfo', { may_be_limited: true, tagged: (answer) => ({ window: windowOf(answer) }) })
}

function judge(answer: Answer): void {
  check(answer, {
    'an answer is 200 or 429': () => answer.status === 200 || answer.status === 429,
    'an answer says when the window ends': () => !Number.isNaN(resetOf(answer)),
  })
  if (answer.status === 429) checkRefusal(answer)
}
