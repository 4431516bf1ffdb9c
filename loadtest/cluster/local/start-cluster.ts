import { join } from 'node:path'
import { stringify } from 'yaml'
import { runCheck } from '../../../deploy/chart/run-program.ts'
import type { Step } from '../../../deploy/local/progress.ts'
import { createVolumes, dnsObjects, readCustomResources } from './addons.ts'
import { startControlPlane } from './control-plane.ts'
import { Daemons, succeeds } from './daemons.ts'
import { prepareMachine } from './machine.ts'
import { startContainerd, startNode } from './node.ts'
import type { PreparedCluster } from './prepared.ts'

const volumeCount = 4

/**
 * Starts a cluster of one node in the namespaces of this process, and sets KUBECONFIG.
 *
 * @throws SetupError with the log of what failed
 */
export async function startCluster(step: Step, prepared: PreparedCluster): Promise<void> {
  const { programs } = prepared
  const { kubectl } = prepared.clients
  prepareMachine(prepared.data)
  const daemons = new Daemons(programs, join(prepared.data, 'logs'))
  const kubeconfig = await step('Control plane', () => startControlPlane(daemons, kubectl))
  process.env.KUBECONFIG = kubeconfig
  const read = (...args: readonly string[]) => runCheck(kubectl, args)
  await step('Images', async (note) => {
    startContainerd(daemons, programs)
    const ctr = (...args: readonly string[]) => runCheck(join(programs, 'ctr'), args)
    await daemons.waitUntil('container runtime', () => succeeds(ctr('version')))
    for (const file of prepared.images) await ctr('--namespace', 'k8s.io', 'images', 'import', file)
    note(`${prepared.images.length} imported`)
  })
  await step('Node', async () => {
    await startNode(daemons, kubeconfig, async () => (await read('get', 'nodes', '--output=name')) !== '')
    const objects = [...dnsObjects, ...createVolumes(volumeCount), ...readCustomResources(prepared.customResources)]
    const text = objects.map((object) => stringify(object)).join('---\n')
    await runCheck(kubectl, ['apply', '--server-side', '-f', '-'], text)
    await daemons.waitUntil('node with DNS', async () => {
      const coredns = ['deployment', 'coredns', '--namespace', 'kube-system']
      return (await read('get', ...coredns, '--output=jsonpath={.status.readyReplicas}')) === '1'
    })
  })
}
