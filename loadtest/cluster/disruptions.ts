import { SetupError } from '#local'
import { busServices } from '#runtime'
import { runCheck } from '../../deploy/chart/run-program.ts'
import type { Release } from './release.ts'

/** Options of UPGRADING.md for a release whose replicas were changed by another client than Helm. */
const takeOver = ['--server-side=true', '--force-conflicts']

/** Every upgrade must replace pods. */
let revision = 0
export const newPods = () => ['--set-string', `secrets.rolloutToken=${++revision}`]

/**
 * Scales a service by kubectl and upgrades as UPGRADING.md describes. Afterwards the number of replicas is that of the values again.
 *
 * @param conflicts whether Helm must reject an upgrade without these options: if it installed the release by server-side apply
 */
export async function upgradeAfterScale(release: Release, conflicts: boolean): Promise<string> {
  const deployment = 'deploy/social-login-identity'
  await release.kubectl('scale', deployment, '--replicas=3')
  await release.kubectl('rollout', 'status', deployment, '--timeout=5m')
  const rejection = conflicts ? await findConflict(release) : undefined
  await release.deploy('upgrade', [...newPods(), ...takeOver])
  const replicas = await release.kubectl('get', deployment, '--output=jsonpath={.spec.replicas}')
  if (replicas !== '2') throw new SetupError(`After the upgrade, ${deployment} has ${replicas} replicas instead of 2.`)
  return rejection ?? 'replicas as in the values'
}

async function findConflict(release: Release): Promise<string> {
  try {
    await release.deploy('upgrade', newPods())
  } catch (error) {
    if (error instanceof SetupError && /conflict.*spec\.replicas/s.test(error.message))
      return 'rejected as documented, then replicas as in the values'
    throw error
  }
  throw new SetupError('Helm accepted an upgrade after kubectl scale. Correct UPGRADING.md.')
}

/** Evicts each pod, as `kubectl drain` does: an eviction that the disruption budget rejects is repeated. */
export async function evictPods(release: Release): Promise<string> {
  const { namespace, programs } = release
  let evicted = 0
  let rejected = 0
  const isRejected = ({ message }: SetupError) => {
    const byBudget = message.includes('disruption budget')
    if (byBudget) rejected++
    return byBudget
  }
  for (const service of busServices) {
    for (const name of await release.pods(service)) {
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } }
      const create = ['create', '--raw', `/api/v1/namespaces/${namespace}/pods/${name}/eviction`, '-f', '-']
      await release.retry(() => runCheck(programs.kubectl, create, JSON.stringify(eviction)), isRejected)
      evicted++
    }
  }
  await release.waitUntilSettled()
  return `${evicted} pods, ${rejected} attempts rejected by the disruption budgets`
}

/** Kills a pod of each service without a shutdown, one after another. */
export async function killPods(release: Release): Promise<string> {
  for (const service of busServices) {
    const [name = ''] = await release.pods(service)
    await release.kubectl('delete', 'pod', name, '--grace-period=0', '--force')
    await release.waitUntilSettled()
  }
  return `${busServices.length} pods`
}
