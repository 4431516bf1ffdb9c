import { SetupError } from '#local'
import { describePod, type Role, readPodScript } from './pods.ts'
import type { Release } from './release.ts'

interface ExpectedConnections {
  /** A pod of the check by its role, or a service. */
  readonly from: Role | `deploy/${string}`
  readonly allowed: readonly string[]
  readonly denied: readonly string[]
}

const gateway = 'social-login-api-gateway'
const login = 'social-login-provider-auth'
const identity = 'social-login-identity'
const [postgres, valkey, nats, simulator] = ['postgres:5432', 'valkey:6379', 'nats:4222', 'provider-simulator:8090']
const kubernetes = 'kubernetes.default:443'

/** What may connect where, with the values of this check. The servers of dev-deps have no policies, so every pod reaches them. */
const expected: readonly ExpectedConnections[] = [
  {
    from: 'edge',
    allowed: [`${gateway}:80`, `${login}:80`, 'social-login-console:80', nats, kubernetes],
    denied: [`${gateway}-ops:9090`, `${identity}:9090`],
  },
  {
    from: 'monitoring',
    allowed: [`${gateway}-ops:9090`, `${identity}:9090`, 'social-login-friendship:9090'],
    denied: [`${gateway}:80`, `${login}:80`, 'social-login-console:80'],
  },
  {
    from: 'other',
    allowed: [postgres, valkey, nats, simulator, kubernetes],
    denied: [`${gateway}:80`, `${login}:80`, 'social-login-console:80', `${gateway}-ops:9090`, `${identity}:9090`],
  },
  {
    from: `deploy/${gateway}`,
    allowed: [nats, valkey],
    denied: [postgres, kubernetes, `${login}:80`, `${identity}:9090`],
  },
  {
    from: `deploy/${identity}`,
    allowed: [nats, postgres],
    denied: [valkey, kubernetes, `${gateway}:80`, 'social-login-profile:9090'],
  },
  {
    from: `deploy/${login}`,
    allowed: [nats, postgres, valkey, simulator],
    denied: [kubernetes, `${gateway}:80`, `${identity}:9090`],
  },
  {
    from: 'deploy/social-login-events',
    allowed: [nats, postgres],
    denied: [valkey, kubernetes, `${gateway}:80`, `${identity}:9090`],
  },
]

/**
 * Tries connections between pods. That a denied target is reachable from another pod shows that the network plugin enforces policies.
 *
 * @returns the numbers of connections
 * @throws SetupError with those that are not as expected
 */
export async function checkPolicies(release: Release): Promise<string> {
  const roles = ['edge', 'monitoring', 'other'] as const
  const waiting = ['--eval', 'setInterval(() => {}, 60_000)']
  const podOf = (role: Role) => `connections-of-${role}`
  await release.apply(...roles.map((role) => describePod(release, { name: podOf(role), role, args: waiting })))
  const pods = roles.map((role) => `pod/${podOf(role)}`)
  await release.kubectl('wait', '--for=condition=Ready', '--timeout=60s', ...pods)
  const script = readPodScript('connect.ts')
  const wrong = await Promise.all(
    expected.map(async ({ from, allowed, denied }) => {
      const targets = [...allowed.map((to) => ({ to, allowed: true })), ...denied.map((to) => ({ to, allowed: false }))]
      const pod = from === 'edge' || from === 'monitoring' || from === 'other' ? podOf(from) : from
      const output = await release.runScript(pod, script, JSON.stringify(targets))
      return output === '' ? '' : `${from}:\n${output}`
    }),
  )
  await release.kubectl('delete', ...pods)
  const problems = wrong.filter((text) => text !== '')
  if (problems.length > 0) throw new SetupError(`Network policies are not as expected.\n${problems.join('\n')}`)
  const count = (which: 'allowed' | 'denied') => expected.reduce((sum, one) => sum + one[which].length, 0)
  return `${count('allowed')} connections allowed, ${count('denied')} denied`
}
