import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { addresses, nodeName } from './addresses.ts'
import { mountCgroups } from './cgroups.ts'

/** Folders that the programs of a node write to. Each gets a file system in memory. */
const volatileFolders = ['/run', '/var/lib', '/var/log']

/**
 * Kernel settings of the whole machine that the kubelet would change. It reads its own values from files that hide the settings, so
 * it changes nothing.
 */
const expectedByKubelet = {
  'vm/overcommit_memory': 1,
  'vm/panic_on_oom': 0,
  'kernel/panic': 10,
  'kernel/panic_on_oops': 1,
  'kernel/keys/root_maxkeys': 1_000_000,
  'kernel/keys/root_maxbytes': 25_000_000,
}

/**
 * Turns the namespaces of this process into a machine for a node: with folders, cgroups and network devices of its own.
 *
 * @param data the folder that containers and volumes are stored in
 */
export function prepareMachine(data: string): void {
  // As on other machines, mounts in a container's volume reach the node. Nothing reaches the namespace that this one was made from.
  run('mount', '--make-rshared', '/')
  run('hostname', nodeName)
  for (const folder of volatileFolders) run('mount', '-t', 'tmpfs', 'cluster', folder)
  for (const folder of ['containerd', 'kubelet', 'volumes']) bind(join(data, folder), join('/var/lib', folder))
  for (const [name, value] of Object.entries(expectedByKubelet)) hideFile(join('/proc/sys', name), `${value}\n`)
  hideFile('/etc/resolv.conf', '') // There is no DNS outside the cluster.
  hideFile('/etc/hosts', `127.0.0.1 localhost\n${addresses.node} ${nodeName}\n`)
  mountCgroups()
  connectNetwork()
}

function bind(source: string, target: string): void {
  for (const folder of [source, target]) mkdirSync(folder, { recursive: true })
  run('mount', '--bind', source, target)
}

/** Shows a text instead of the content of a file. */
function hideFile(path: string, text: string): void {
  const file = join('/run/hidden', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  run('mount', '--bind', file, path)
}

/** The node's address is on a pair of devices that are connected only with each other. */
function connectNetwork(): void {
  run('ip', 'link', 'set', 'lo', 'up')
  run('ip', 'link', 'add', 'node0', 'type', 'veth', 'peer', 'name', 'nowhere')
  for (const device of ['node0', 'nowhere']) run('ip', 'link', 'set', device, 'up')
  run('ip', 'address', 'add', `${addresses.node}/24`, 'dev', 'node0')
  run('ip', 'route', 'add', 'default', 'dev', 'node0')
  writeFileSync('/proc/sys/net/ipv4/ip_forward', '1')
  // Makes packets between pods on the bridge pass the rules of Services and network policies.
  writeFileSync('/proc/sys/net/bridge/bridge-nf-call-iptables', '1')
}

function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args)
}
