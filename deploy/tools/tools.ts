import { clusterTools } from './cluster-tools.ts'
import type { Tool } from './tool.ts'

export const tools = {
  ...clusterTools,
  k6: {
    files: ['k6'],
    folders: [],
    variable: 'K6',
    versionArguments: ['version'],
    version: /k6\S* v(\d+(?:\.\d+)*)/,
    atLeast: [2],
    package_path: 'go.k6.io/k6/v2',
  },
  helm: {
    files: ['helm', 'helm4'],
    folders: [],
    variable: 'HELM',
    versionArguments: ['version', '--short'],
    version: /v(\d+(?:\.\d+)*)/,
    atLeast: [4],
    package_path: 'helm.sh/helm/v4/cmd/helm',
  },
  helm3: {
    files: ['helm3'],
    folders: [],
    variable: 'HELM3',
    versionArguments: ['version', '--short'],
    version: /v(3(?:\.\d+)*)/,
    atLeast: [3, 16],
    package_path: 'helm.sh/helm/v3/cmd/helm',
  },
  'helm-unittest': {
    files: [], // It prints no version, so we always build it.
    folders: [],
    version: /(\d+)/,
    atLeast: [1],
    package_path: 'github.com/helm-unittest/helm-unittest/cmd/helm-unittest',
  },
  kubeconform: {
    files: ['kubeconform'],
    folders: [],
    variable: 'KUBECONFORM',
    versionArguments: ['-v'],
    version: /v(\d+(?:\.\d+)*)/,
    atLeast: [0, 6],
    package_path: 'github.com/yannh/kubeconform/cmd/kubeconform',
  },
  'kube-linter': {
    files: ['kube-linter'],
    folders: [],
    variable: 'KUBE_LINTER',
    versionArguments: ['version'],
    version: /(\d+(?:\.\d+)*)/,
    atLeast: [0, 7],
    package_path: 'golang.stackrox.io/kube-linter/cmd/kube-linter',
  },
} as const satisfies Record<string, Tool>

export type ToolName = keyof typeof tools
