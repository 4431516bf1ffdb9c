import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { addresses, clusterDomain, nodeName } from './addresses.ts'
import type { Daemons } from './daemons.ts'
import { pauseImage } from './image-names.ts'

const socket = '/run/containerd/containerd.sock'
const directory = '/run/node'

/** Starts containerd. Images can be imported as soon as it answers. */
export function startContainerd(daemons: Daemons, programs: string): void {
  mkdirSync(directory, { recursive: true })
  const network = join(directory, 'network')
  mkdirSync(network)
  writeFileSync(join(network, 'pods.conflist'), JSON.stringify(podNetwork))
  const config = join(directory, 'containerd.toml')
  writeFileSync(
    config,
    `
version = 3
[grpc]
  address = '${socket}'
[plugins.'io.containerd.internal.v1.opt']
  path = '/run/containerd/opt'
[plugins.'io.containerd.cri.v1.images']
  snapshotter = 'overlayfs'
[plugins.'io.containerd.cri.v1.images'.pinned_images]
  sandbox = '${pauseImage}'
[plugins.'io.containerd.cri.v1.runtime']
  # A process in a container cannot be better protected from the kernel's OOM killer than this one.
  restrict_oom_score_adj = true
[plugins.'io.containerd.cri.v1.runtime'.cni]
  bin_dirs = ['${programs}']
  conf_dir = '${network}'
`,
  )
  daemons.start('containerd', ['--config', config])
}

/** Pods are on a bridge; the node routes between it and its own address. */
const podNetwork = {
  cniVersion: '1.0.0',
  name: 'pods',
  plugins: [
    {
      type: 'bridge',
      bridge: 'pods',
      isDefaultGateway: true,
      hairpinMode: true,
      ipam: { type: 'host-local', ranges: [[{ subnet: addresses.pods }]] },
    },
  ],
}

/**
 * Starts the kubelet, and what routes Services and enforces network policies.
 *
 * @param isRegistered whether the API server knows the node
 */
export async function startNode(
  daemons: Daemons,
  kubeconfig: string,
  isRegistered: () => Promise<boolean>,
): Promise<void> {
  const client = `--kubeconfig=${kubeconfig}`
  const name = `--hostname-override=${nodeName}`
  const resolvConf = join(directory, 'resolv.conf')
  writeFileSync(resolvConf, '')
  const config = join(directory, 'kubelet.yaml')
  writeFileSync(config, stringify(describeKubelet(resolvConf)))
  daemons.start('kubelet', [client, name, `--config=${config}`, `--node-ip=${addresses.node}`])
  daemons.start('kube-proxy', [
    client,
    name,
    '--proxy-mode=iptables',
    '--oom-score-adj=0',
    `--bind-address=${addresses.node}`,
    // These settings belong to the whole machine.
    '--conntrack-max-per-core=0',
    '--conntrack-min=0',
    '--conntrack-tcp-timeout-established=0s',
    '--conntrack-tcp-timeout-close-wait=0s',
  ])
  await daemons.waitUntil('registered node', isRegistered) // Otherwise kube-router ends.
  daemons.start('kube-router', [
    client,
    name,
    '--run-firewall=true',
    '--run-router=false',
    '--run-service-proxy=false',
    `--service-cluster-ip-range=${addresses.services}`,
    '--metrics-port=0',
  ])
}

function describeKubelet(resolvConf: string) {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    containerRuntimeEndpoint: `unix://${socket}`,
    cgroupDriver: 'cgroupfs',
    failCgroupV1: false,
    failSwapOn: false,
    oomScoreAdj: 0, // A lower one requires a capability that the machine may not grant.
    clusterDNS: [addresses.dns],
    clusterDomain,
    resolvConf,
    volumePluginDir: join(directory, 'volume-plugins'),
    // Nothing outside these namespaces reaches it, and its only client has no certificate.
    authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
    authorization: { mode: 'AlwaysAllow' },
    // A check must not fail because the disk of the machine is nearly full.
    evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
    imageGCHighThresholdPercent: 100,
  }
}
