import { z } from 'zod'
import { SetupError } from '#local'
import { describePod, readPodScript } from './pods.ts'
import { type Release, scriptArguments } from './release.ts'

const pod = 'traffic'

const TrafficCounts = z.object({
  /** Answered calls of the Web API. */
  calls: z.number(),
  /** Whole logins, of seven requests each. */
  logins: z.number(),
  /** Those that had no definite answer at first. */
  repeated: z.number(),
  /** Those without a definite answer in ten seconds of repeats. */
  failed: z.number(),
  /** Of the others. */
  slowest_ms: z.number(),
  /** What happened instead of an answer, and how often. */
  reasons: z.record(z.string(), z.number()),
})
export type TrafficCounts = z.infer<typeof TrafficCounts>

/** Starts customers and end users in a pod of the cluster. Resolves when they send requests. */
export async function startClusterTraffic(release: Release): Promise<void> {
  const env = {
    WEB_API: 'social-login-api-gateway',
    AUTHORIZATION: 'social-login-provider-auth',
    CONSOLE: 'social-login-console',
    AUTH_URL: 'http://localhost:8081',
    SIMULATOR_URL: 'http://localhost:8090',
    SIMULATOR_INTERNAL_URL: 'http://provider-simulator:8090',
    OPERATOR_TOKEN_FILE: '/secret/token',
  }
  const args = [...scriptArguments, readPodScript('traffic.ts')]
  await release.apply(describePod(release, { name: pod, role: 'edge', args, env, secret: 'operator-token' }))
  await release.retry(() => takeTrafficCounts(release))
}

/** What happened since the last time. @throws SetupError if the pod does not answer */
export async function takeTrafficCounts(release: Release): Promise<TrafficCounts> {
  const script = "console.log(await (await fetch('http://127.0.0.1:9999/take')).text())"
  return TrafficCounts.parse(JSON.parse(await release.runScript(pod, script)))
}

export async function stopClusterTraffic(release: Release): Promise<void> {
  await release.kubectl('delete', 'pod', pod)
}

/** @throws SetupError if a request failed, or had to be repeated where that is not expected */
export function judgeTraffic(counts: TrafficCounts, repeatsAreExpected: boolean): void {
  const reasons = Object.entries(counts.reasons).map(([reason, count]) => `${count} × ${reason}`)
  if (counts.failed > 0 || (counts.repeated > 0 && !repeatsAreExpected))
    throw new SetupError(`${counts.failed} requests failed and ${counts.repeated} were repeated: ${reasons.join('; ')}`)
  if (counts.calls === 0 || counts.logins === 0) throw new SetupError('There was no traffic.')
}
