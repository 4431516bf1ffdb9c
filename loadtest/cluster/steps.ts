import type { Note } from '../../deploy/local/progress.ts'
import { runDocumentedCommands } from './commands.ts'
import { evictPods, killPods, newPods, upgradeAfterScale } from './disruptions.ts'
import { followFirstLogin } from './follow-page.ts'
import { checkPolicies } from './policies.ts'
import type { Release } from './release.ts'
import { startClusterTraffic, stopClusterTraffic } from './traffic.ts'

export interface ClusterStep {
  readonly title: string
  /** Resolves with what is worth reporting. @throws SetupError if something is wrong */
  readonly run: (release: Release, note: Note) => Promise<string> | Promise<void>
  /**
   * What traffic meets during the step: `none` if there is none, `nothing` if every request is answered at once, and `losses` if pods
   * end without a shutdown, so that customers repeat requests.
   */
  readonly traffic: 'none' | 'nothing' | 'losses'
  /** Whether it needs a cluster of the check's own, because it uses a namespace with a fixed name. */
  readonly onlyLocally?: boolean
  /** Whether the pods are measured afterwards. */
  readonly measures?: boolean
}

const test = (title: string, traffic: ClusterStep['traffic']): ClusterStep => ({
  title,
  traffic,
  run: async (release) => {
    await release.helm('test', ['--logs', '--timeout', '5m'])
  },
})

/** What `check:cluster` does with a release, in this order. */
export const clusterSteps: readonly ClusterStep[] = [
  { title: 'First login on Kubernetes', traffic: 'none', run: followFirstLogin, onlyLocally: true },
  { title: 'dev-deps', traffic: 'none', run: (release) => release.installServers() },
  {
    title: 'Install by Helm 3',
    traffic: 'none',
    run: (release) => release.deploy('install', [], release.programs.helm3),
  },
  { title: 'Operator token', traffic: 'none', run: createOperatorToken },
  test('helm test with a login', 'none'),
  { title: 'Network policies', traffic: 'none', run: checkPolicies },
  { title: 'Start traffic', traffic: 'none', run: startClusterTraffic },
  { title: 'Upgrade by Helm 4', traffic: 'nothing', run: (release) => release.deploy('upgrade', newPods()) },
  test('helm test after the upgrade', 'nothing'),
  { title: 'Rollback', traffic: 'nothing', run: rollBack },
  {
    title: 'Upgrade after kubectl scale',
    traffic: 'nothing',
    run: (release) => upgradeAfterScale(release, false),
  },
  { title: 'Evict every pod', traffic: 'nothing', run: evictPods },
  { title: 'Documented commands', traffic: 'nothing', run: runDocumentedCommands, measures: true },
  { title: 'Kill a pod of each service', traffic: 'losses', run: killPods },
  { title: 'Stop traffic', traffic: 'none', run: stopClusterTraffic },
  {
    title: 'Uninstall',
    traffic: 'none',
    run: async (release) => {
      await release.helm('uninstall', ['--wait', '--timeout', '5m'])
    },
  },
  { title: 'Install by Helm 4', traffic: 'none', run: (release) => release.deploy('install') },
  { title: 'Start traffic again', traffic: 'none', run: startClusterTraffic },
  {
    title: 'Upgrade after kubectl scale, Helm 4',
    traffic: 'nothing',
    run: (release) => upgradeAfterScale(release, true),
  },
  test('helm test of the second release', 'nothing'),
]

/** The token of `helm test`, as the README of dev-deps creates it. */
async function createOperatorToken(release: Release): Promise<void> {
  const issue = ['node', 'services/console/issue-operator-token.js', '--name', 'check', '--days', '1']
  const [token = ''] = (await release.kubectl('exec', 'deploy/social-login-console', '--', ...issue)).split('\n')
  await release.apply({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'operator-token' },
    stringData: { token },
  })
}

async function rollBack(release: Release): Promise<void> {
  await release.helm('rollback', ['--wait', '--timeout', '10m'])
}
