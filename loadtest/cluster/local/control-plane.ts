import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { runCheck } from '../../../deploy/chart/run-program.ts'
import { addresses } from './addresses.ts'
import { type Daemons, succeeds } from './daemons.ts'

const etcd = 'http://127.0.0.1:2379'

/**
 * Starts etcd, the API server, the controllers and the scheduler. Every client is an administrator with one token: what this
 * cluster is for needs no other users.
 *
 * @returns the path of the kubeconfig
 */
export async function startControlPlane(daemons: Daemons, kubectl: string): Promise<string> {
  const directory = '/run/control-plane'
  const file = (name: string) => join(directory, name)
  mkdirSync(directory, { mode: 0o700 })
  daemons.start('etcd', [
    `--data-dir=${file('etcd')}`,
    '--unsafe-no-fsync',
    `--listen-client-urls=${etcd}`,
    `--advertise-client-urls=${etcd}`,
    '--listen-peer-urls=http://127.0.0.1:2380',
  ])
  const token = randomBytes(32).toString('hex')
  writeFileSync(file('tokens.csv'), `${token},check,check,system:masters\n`, { mode: 0o600 })
  const key = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  writeFileSync(file('service-accounts.pub'), key.publicKey)
  writeFileSync(file('service-accounts.key'), key.privateKey, { mode: 0o600 })

  const certificate = file('apiserver.crt') // The API server creates it.
  const kubeconfig = file('kubeconfig')
  writeFileSync(kubeconfig, describeAccess(token, certificate), { mode: 0o600 })
  daemons.start('kube-apiserver', [
    `--etcd-servers=${etcd}`,
    `--cert-dir=${directory}`,
    `--token-auth-file=${file('tokens.csv')}`,
    '--authorization-mode=RBAC',
    `--advertise-address=${addresses.node}`,
    `--bind-address=${addresses.node}`,
    `--secure-port=${addresses.apiServerPort}`,
    `--service-cluster-ip-range=${addresses.services}`,
    '--kubelet-preferred-address-types=InternalIP',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${file('service-accounts.pub')}`,
    `--service-account-signing-key-file=${file('service-accounts.key')}`,
  ])
  await daemons.waitUntil('API server', () => {
    return succeeds(runCheck(kubectl, ['--kubeconfig', kubeconfig, 'get', '--raw', '/readyz']))
  })
  const client = [`--kubeconfig=${kubeconfig}`, '--leader-elect=false']
  daemons.start('kube-controller-manager', [
    ...client,
    `--service-account-private-key-file=${file('service-accounts.key')}`,
    `--root-ca-file=${certificate}`,
    `--flex-volume-plugin-dir=${file('volume-plugins')}`,
  ])
  daemons.start('kube-scheduler', client)
  return kubeconfig
}

function describeAccess(token: string, certificate: string): string {
  const server = `https://${addresses.node}:${addresses.apiServerPort}`
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'check',
    clusters: [{ name: 'check', cluster: { server, 'certificate-authority': certificate } }],
    users: [{ name: 'check', user: { token } }],
    contexts: [{ name: 'check', context: { cluster: 'check', user: 'check' } }],
  })
}
