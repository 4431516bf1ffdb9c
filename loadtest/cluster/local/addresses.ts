/**
 * Addresses of the cluster. They exist only in its own network namespace, which has no way out. They are private, as those of other
 * clusters, because the chart's network policies treat private addresses differently.
 */
export const addresses = {
  /** Of the node, on a device that leads nowhere. */
  node: '192.168.49.1',
  apiServerPort: 6443,
  pods: '10.244.0.0/24',
  services: '10.96.0.0/16',
  dns: '10.96.0.10',
} as const

/** The name of the only node. */
export const nodeName = 'node-1'

/** The domain of Services. */
export const clusterDomain = 'cluster.local'
