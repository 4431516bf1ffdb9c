import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const mountPoint = '/sys/fs/cgroup'

interface Hierarchy {
  readonly path: string
  /** Of its mount, such as `rw,relatime,memory`. */
  readonly options: readonly string[]
  readonly version: 1 | 2
}

/** The mounted hierarchies: several in version 1 of cgroups, one in version 2. */
function findHierarchies(): Hierarchy[] {
  return readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, path = '', type]) => path.startsWith(mountPoint) && (type === 'cgroup' || type === 'cgroup2'))
    .map(([, path = '', type, options = '']) => {
      return { path, options: options.split(','), version: type === 'cgroup' ? 1 : 2 }
    })
}

/** Creates a cgroup in each hierarchy. Returns the files that move a process there. */
export function createCgroup(name: string): string[] {
  return findHierarchies().map(({ path }) => {
    const folder = join(path, name)
    mkdirSync(folder, { recursive: true })
    // A new cpuset of version 1 has no processors and no memory.
    for (const file of ['cpuset.cpus', 'cpuset.mems'])
      if (existsSync(join(path, file))) writeFileSync(join(folder, file), readFileSync(join(path, file)))
    return join(folder, 'cgroup.procs')
  })
}

/** Removes the cgroup of each hierarchy after its last process has ended. */
export function removeCgroup(name: string): void {
  for (const { path } of findHierarchies()) removeTree(join(path, name))
}

function removeTree(folder: string): void {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder)) {
    const path = join(folder, entry)
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) removeTree(path)
  }
  rmdirSync(folder)
}

/** Mounts the hierarchies again in new cgroup and mount namespaces, so that the cgroup of this process is their root. */
export function mountCgroups(): void {
  const hierarchies = findHierarchies()
  for (const { path, options, version } of hierarchies) {
    execFileSync('umount', [path])
    const type = version === 1 ? ['-t', 'cgroup', '-o', listControllers(options)] : ['-t', 'cgroup2']
    execFileSync('mount', [...type, 'cgroup', path])
  }
  const [first] = hierarchies
  if (hierarchies.length === 1 && first?.version === 2) delegateControllers(first.path)
}

/** The options of a mount that select its controllers, or its name if it has none. */
function listControllers(options: readonly string[]): string {
  const controllers = readFileSync('/proc/cgroups', 'utf8')
    .split('\n')
    .map((line) => line.split('\t')[0])
  const selected = options.flatMap((option) => {
    if (option.startsWith('name=')) return ['none', option]
    return controllers.includes(option) ? [option] : []
  })
  return selected.join(',')
}

/** Moves all processes to a child: in version 2, a cgroup whose children have controllers must have no processes. */
function delegateControllers(folder: string): void {
  const child = join(folder, 'check')
  mkdirSync(child)
  for (const pid of readFileSync(join(folder, 'cgroup.procs'), 'utf8').trim().split('\n'))
    writeFileSync(join(child, 'cgroup.procs'), pid)
  const controllers = readFileSync(join(folder, 'cgroup.controllers'), 'utf8').trim().split(' ')
  writeFileSync(join(folder, 'cgroup.subtree_control'), controllers.map((name) => `+${name}`).join(' '))
}
