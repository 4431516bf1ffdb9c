import type { Findable } from '#local'

/** A program that is built from source where the machine has none. */
export interface Tool extends Findable {
  /** What Go calls its main package. */
  readonly package_path: string
}

export type ToolName = 'k6' | 'helm' | 'helm3' | 'helm-unittest' | 'kubeconform' | 'kube-linter'

export const tools: Record<ToolName, Tool> = {
  k6: {
    files: ['k6'],
    folders: [],
    variable: 'K6',
    version_arguments: ['version'],
    version: /k6\S* v(\d+(?:\.\d+)*)/,
    at_least: [2],
    package_path: 'go.k6.io/k6/v2',
  },
  helm: {
    files: ['helm', 'helm4'],
    folders: [],
    variable: 'HELM',
    version_arguments: ['version', '--short'],
    version: /v(\d+(?:\.\d+)*)/,
    at_least: [4],
    package_path: 'helm.sh/helm/v4/cmd/helm',
  },
  helm3: {
    files: ['helm3'],
    folders: [],
    variable: 'HELM3',
    version_arguments: ['version', '--short'],
    version: /v(3(?:\.\d+)*)/,
    at_least: [3, 16],
    package_path: 'helm.sh/helm/v3/cmd/helm',
  },
  'helm-unittest': {
    files: [], // it tells no version: always ours
    folders: [],
    version: /(\d+)/,
    at_least: [1],
    package_path: 'github.com/helm-unittest/helm-unittest/cmd/helm-unittest',
  },
  kubeconform: {
    files: ['kubeconform'],
    folders: [],
    variable: 'KUBECONFORM',
    version_arguments: ['-v'],
    version: /v(\d+(?:\.\d+)*)/,
    at_least: [0, 6],
    package_path: 'github.com/yannh/kubeconform/cmd/kubeconform',
  },
  'kube-linter': {
    files: ['kube-linter'],
    folders: [],
    variable: 'KUBE_LINTER',
    version_arguments: ['version'],
    version: /(\d+(?:\.\d+)*)/,
    at_least: [0, 7],
    package_path: 'golang.stackrox.io/kube-linter/cmd/kube-linter',
  },
}
