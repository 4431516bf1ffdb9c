import type { Tool } from './tool.ts'

/** Must be the version of `kubernetes/go.mod`. */
const kubernetes = { version: 'v1.36.1', minor: '36' }

/** The programs that a Kubernetes node consists of, with the client. */
export const clusterTools = {
  'kube-apiserver': ofKubernetes('kube-apiserver'),
  'kube-controller-manager': ofKubernetes('kube-controller-manager'),
  'kube-scheduler': ofKubernetes('kube-scheduler'),
  'kube-proxy': ofKubernetes('kube-proxy'),
  kubelet: ofKubernetes('kubelet'),
  kubectl: {
    ...ofKubernetes('kubectl'),
    variable: 'KUBECTL',
    versionArguments: ['version', '--client'],
    version: /Client Version:\D*(\d+(?:\.\d+)*)/,
  },
  etcd: {
    files: ['etcd'],
    folders: [],
    version: /etcd Version: (\d+(?:\.\d+)*)/,
    atLeast: [3, 5, 8], // Older ones lack a request that Kubernetes uses for consistent reads from its cache.
    package_path: 'go.etcd.io/etcd/server/v3',
  },
  containerd: ofContainerd('containerd', /v(\d+(?:\.\d+)*)/),
  'containerd-shim-runc-v2': {
    ...ofContainerd('containerd-shim-runc-v2', /v(\d+(?:\.\d+)*)/),
    versionArguments: ['-v'],
  },
  ctr: ofContainerd('ctr', /v(\d+(?:\.\d+)*)/),
  'kube-router': {
    files: ['kube-router'],
    folders: [],
    version: /version v(\d+(?:\.\d+)*)/,
    atLeast: [2],
    package_path: 'github.com/cloudnativelabs/kube-router/v2/cmd/kube-router',
  },
  coredns: {
    files: ['coredns'],
    folders: [],
    versionArguments: ['-version'],
    version: /CoreDNS-(\d+(?:\.\d+)*)/,
    atLeast: [1, 11],
    package_path: 'github.com/coredns/coredns',
  },
  bridge: networkPlugin('bridge', 'main/bridge'),
  loopback: networkPlugin('loopback', 'main/loopback'),
  'host-local': networkPlugin('host-local', 'ipam/host-local'),
  pause: built({ package_path: '.', module: 'pause' }),
} as const satisfies Record<string, Tool>

export type ClusterToolName = keyof typeof clusterTools

/** Every name. */
export const clusterToolNames = Object.keys(clusterTools) as ClusterToolName[] // Its type is string[].

function ofKubernetes(name: string): Tool {
  return {
    files: [name],
    folders: [],
    version: /Kubernetes v(\d+(?:\.\d+)*)/,
    atLeast: [1, 35],
    package_path: `k8s.io/kubernetes/cmd/${name}`,
    module: 'kubernetes',
    // Without them, the API server reports v0.0.0, which Helm rejects.
    variables: {
      'k8s.io/component-base/version.gitVersion': kubernetes.version,
      'k8s.io/component-base/version.gitMajor': '1',
      'k8s.io/component-base/version.gitMinor': kubernetes.minor,
    },
  }
}

function ofContainerd(name: string, version: RegExp): Tool {
  return {
    files: [name],
    folders: [],
    version,
    atLeast: [2],
    package_path: `github.com/containerd/containerd/v2/cmd/${name}`,
    module: 'containerd',
    variables: { 'github.com/containerd/containerd/v2/version.Version': 'v2.2.9' },
  }
}

/** A program that is always built, because it must be static or prints no version. */
function built({ package_path, module }: { readonly package_path: string; readonly module: string }): Tool {
  return { files: [], folders: [], version: /(\d+)/, atLeast: [1], package_path, module }
}

function networkPlugin(name: string, directory: string): Tool {
  return {
    files: [name],
    folders: ['/opt/cni/bin', '/usr/lib/cni'],
    version: /plugin v?(\d+(?:\.\d+)*)/,
    atLeast: [1],
    package_path: `github.com/containernetworking/plugins/plugins/${directory}`,
    module: 'cni-plugins',
  }
}
