import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { addresses, clusterDomain, nodeName } from './addresses.ts'
import { dnsImage } from './image-names.ts'

const labels = { 'k8s-app': 'kube-dns' }
const inSystem = (name: string) => ({ name, namespace: 'kube-system' })
const rbac = 'rbac.authorization.k8s.io'

const corefile = `.:53 {
  errors
  health
  ready
  kubernetes ${clusterDomain} in-addr.arpa {
    pods insecure
  }
  cache 30
}
`

const dnsPod = {
  serviceAccountName: 'coredns',
  containers: [
    {
      name: 'coredns',
      image: dnsImage,
      args: ['-conf', '/etc/coredns/Corefile'],
      ports: [{ containerPort: 53, protocol: 'UDP' }, { containerPort: 53 }],
      readinessProbe: { httpGet: { path: '/ready', port: 8181 }, periodSeconds: 1 },
      resources: { requests: { cpu: '10m', memory: '32Mi' } },
      volumeMounts: [{ name: 'config', mountPath: '/etc/coredns' }],
    },
  ],
  volumes: [{ name: 'config', configMap: { name: 'coredns' } }],
}

/** The objects of DNS, which every cluster has. */
export const dnsObjects = [
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: inSystem('coredns') },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'coredns' },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'coredns' },
    subjects: [{ kind: 'ServiceAccount', ...inSystem('coredns') }],
  },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    metadata: { name: 'coredns' },
    rules: [
      { apiGroups: [''], resources: ['services', 'pods', 'namespaces'], verbs: ['list', 'watch'] },
      { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch'] },
    ],
  },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: inSystem('coredns'), data: { Corefile: corefile } },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...inSystem('coredns'), labels },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: dnsPod } },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: inSystem('kube-dns'),
    spec: {
      clusterIP: addresses.dns,
      selector: labels,
      ports: [
        { name: 'udp', port: 53, protocol: 'UDP' },
        { name: 'tcp', port: 53 },
      ],
    },
  },
]

/** The default storage class, with volumes that exist: folders of this machine. */
export function createVolumes(count: number): object[] {
  const className = 'standard'
  const volumes = Array.from({ length: count }, (_, index) => {
    const path = join('/var/lib/volumes', String(index))
    mkdirSync(path, { recursive: true })
    return {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: `volume-${index}` },
      spec: {
        storageClassName: className,
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce'],
        local: { path },
        persistentVolumeReclaimPolicy: 'Retain',
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [nodeName] }] },
            ],
          },
        },
      },
    }
  })
  const isDefault = { 'storageclass.kubernetes.io/is-default-class': 'true' }
  return [
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: className, annotations: isDefault },
      provisioner: 'kubernetes.io/no-provisioner',
      volumeBindingMode: 'WaitForFirstConsumer',
    },
    ...volumes,
  ]
}

const Definition = z.looseObject({
  kind: z.literal('CustomResourceDefinition'),
  // Some labels are templates.
  metadata: z.object({ name: z.string(), annotations: z.unknown().optional() }),
  spec: z.looseObject({ conversion: z.unknown().optional() }),
})

/** The definitions in files of YAML, without conversion, for which the operators would have to run. */
export function readCustomResources(files: readonly string[]): object[] {
  return files.flatMap((file) =>
    parseAllDocuments(readFileSync(file, 'utf8')).flatMap((document) => {
      const parsed = Definition.safeParse(document.toJSON())
      if (!parsed.success) return []
      const { conversion: _, ...spec } = parsed.data.spec
      return [{ ...parsed.data, spec }]
    }),
  )
}
