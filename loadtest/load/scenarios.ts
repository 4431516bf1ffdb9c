import { setTimeout as delay } from 'node:timers/promises'
import { type LoadTestStack, replaceable } from '../toolkit/stack/start.ts'
import { checkIsolation, checkRedisOutage, describeKnee } from './checks.ts'
import type { Summary } from './summary.ts'

export interface DuringRun {
  readonly print: (line: string) => void
  /** Aborted when k6 ends. */
  readonly signal: AbortSignal
}

/** A k6 script, its requirements, and the changes to the stack while it runs. */
export interface LoadScenario {
  /** The file below `scripts/`, without its extension. */
  readonly script: string
  readonly shows: string
  /** Default duration in minutes. */
  readonly minutes: number
  readonly gateways: number
  /** Whether it needs a site for logins. */
  readonly logs_in: boolean
  /** Sites with keys, and their users. */
  readonly sites: number
  readonly users: number
  readonly meanwhile?: (serviceStack: LoadTestStack, meanwhile: DuringRun) => Promise<void>
  /** Checks that k6 thresholds cannot express; returns the failed ones. */
  readonly judge?: (summary: Summary) => readonly string[]
  /** Summarizes the findings in a sentence. */
  readonly summarize?: (summary: Summary) => string
  /** It runs until a threshold is crossed. */
  readonly breaks?: true
  /** Processes are replaced, so their counts are lost. */
  readonly loses_counts?: true
  /** It is long enough to detect memory leaks. */
  readonly watches_growth?: true
}

export const scenarios = {
  smoke: {
    script: 'smoke',
    shows: 'every operation of the Web API succeeds',
    minutes: 0.5,
    gateways: 1,
    logs_in: true,
    sites: 1,
    users: 100,
  },
  quota_ok: {
    script: 'quota-ok',
    shows: '9,900 requests a minute on one key: not one 429',
    minutes: 5,
    gateways: 3,
    logs_in: false,
    sites: 1,
    users: 100,
  },
  quota_edge: {
    script: 'quota-edge',
    shows:
      '12,000 a minute on one key over three gateways: exactly 10,000 served in each window, every other response a valid 429',
    minutes: 3,
    gateways: 3,
    logs_in: false,
    sites: 1,
    users: 100,
  },
  redis_away: {
    script: 'redis-unavailable',
    shows: 'the limit while Redis is unavailable: each gateway admits its share, then limits are exact again',
    minutes: 5,
    gateways: 3,
    logs_in: false,
    sites: 1,
    users: 100,
    async meanwhile({ redis }, { print: say, signal }) {
      await delay(80_000, undefined, { signal })
      say('Redis stopped.')
      await redis.stop()
      await delay(70_000, undefined, { signal })
      await redis.start()
      say('Redis started again, without data.')
    },
    judge: checkRedisOutage,
  },
  isolation: {
    script: 'isolation',
    shows: 'a site that floods at 24,000 a minute does not slow another one down',
    minutes: 3,
    gateways: 2,
    logs_in: false,
    sites: 2,
    users: 100,
    judge: checkIsolation,
  },
  many_keys: {
    script: 'many-keys',
    shows: 'a thousand sites concurrently, with the usual mix of operations',
    minutes: 2,
    gateways: 2,
    logs_in: false,
    sites: 1_000,
    users: 100_000,
  },
  login: {
    script: 'login',
    shows: 'whole logins: authorization endpoint, provider, callback, token, userinfo',
    minutes: 1,
    gateways: 1,
    logs_in: true,
    sites: 1,
    users: 100,
  },
  users: {
    script: 'users',
    shows: 'pages of `users` at every depth',
    minutes: 1,
    gateways: 1,
    logs_in: false,
    sites: 1,
    users: 200_000,
  },
  rollout: {
    script: 'rollout',
    shows: "constant load while every service's processes are replaced one after another: nothing fails",
    minutes: 1.5,
    gateways: 2,
    logs_in: true,
    sites: 20,
    users: 2_000,
    loses_counts: true,
    async meanwhile({ replace }, { print: say, signal }) {
      await delay(10_000, undefined, { signal })
      for (const service of replaceable) {
        await replace(service)
        say(`${service} was replaced.`)
      }
    },
  },
  breakpoint: {
    script: 'breakpoint',
    shows: 'load that rises until this machine can bear no more',
    minutes: 4,
    gateways: 2,
    logs_in: false,
    sites: 1_000,
    users: 100_000,
    breaks: true,
    summarize: describeKnee,
  },
  soak: {
    script: 'soak',
    shows: 'the mix and logins for twenty minutes: nothing fails, and nothing grows without an end',
    minutes: 20,
    gateways: 2,
    logs_in: true,
    sites: 100,
    users: 100_000,
    watches_growth: true,
  },
} as const satisfies Record<string, LoadScenario>

export type LoadScenarioName = keyof typeof scenarios

export function isScenario(name: string): name is LoadScenarioName {
  return Object.hasOwn(scenarios, name)
}

/** The short set, to run for every change. */
export const shortSet: readonly { readonly name: LoadScenarioName; readonly minutes?: number }[] = [
  { name: 'smoke', minutes: 0.25 },
  { name: 'quota_edge', minutes: 1 },
  { name: 'login', minutes: 0.5 },
  { name: 'rollout', minutes: 1 },
]
