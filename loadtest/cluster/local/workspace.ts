import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../deploy/local/settings.ts'
import { removeCgroup } from './cgroups.ts'

const parent = join(root, '.local')

/** What a check has on the machine, and removes at its end. */
export interface Workspace extends Disposable {
  readonly directory: string
  /** The name of its cgroup in each hierarchy. */
  readonly cgroup: string
}

/** Creates the workspace of this process, and removes those of checks that were killed. */
export function createWorkspace(): Workspace {
  mkdirSync(parent, { recursive: true })
  for (const name of readdirSync(parent)) {
    const [, pid] = /^cluster-(\d+)$/.exec(name) ?? []
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) remove(pid)
  }
  const { directory, cgroup } = locate(process.pid)
  mkdirSync(directory)
  return { directory, cgroup, [Symbol.dispose]: () => remove(process.pid) }
}

function locate(pid: number | string) {
  return { directory: join(parent, `cluster-${pid}`), cgroup: `cluster-check-${pid}` }
}

function remove(pid: number | string): void {
  const { directory, cgroup } = locate(pid)
  removeCgroup(cgroup)
  rmSync(directory, { recursive: true, force: true })
}
