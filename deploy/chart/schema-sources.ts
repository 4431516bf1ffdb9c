/**
 * The Kubernetes releases that rendered objects are checked against: the oldest and the newest that the chart supports.
 */
export const kubernetesReleases = { oldest: 'v1.30.14', newest: 'v1.36.1' } as const

/** Go modules that contain the schemas of custom resources. */
export const customResources = [
  { module: 'sigs.k8s.io/gateway-api@v1.6.1', files: 'config/crd/standard/*.yaml' },
  {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.93.0',
    files: 'example/prometheus-operator-crd/*_{servicemonitors,prometheusrules}.yaml',
  },
  { module: 'github.com/kedacore/keda/v2@v2.17.2', files: 'config/crd/bases/keda.sh_scaledobjects.yaml' },
  { module: 'github.com/cert-manager/cert-manager@v1.18.2', files: 'deploy/crds/*{certificates,issuers}.yaml' },
  { module: 'github.com/external-secrets/external-secrets@v0.19.2', files: 'config/crds/bases/*_externalsecrets.yaml' },
  {
    module: 'github.com/cloudnative-pg/cloudnative-pg@v1.28.0',
    files: 'config/crd/bases/*_{clusters,databases,poolers}.yaml',
  },
] as const
