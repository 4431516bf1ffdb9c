import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Stops a process and all that it starts together, as when a host gives its CPUs to another machine. */
export interface Pausing {
  readonly stop: () => void
  readonly go: () => void
  readonly end: () => void
}

/** @param pid of a process that has started no other yet */
export function createPausing(pid: number): Pausing {
  try {
    return pauseByFreezer(pid)
  } catch {
    return pauseBySignals(pid) // not Linux, or no permission
  }
}

/** The freezer of control groups, version 2: a program does not notice that it was stopped. */
function pauseByFreezer(pid: number): Pausing {
  const [, mount = ''] = /^\S+ (\S+) cgroup2 /m.exec(readFileSync('/proc/mounts', 'utf8')) ?? []
  const [, own = ''] = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8')) ?? []
  const group = join(mount, own, `hostile-machine-${pid}`)
  mkdirSync(group)
  writeFileSync(join(group, 'cgroup.procs'), String(pid))
  return {
    stop: () => writeFileSync(join(group, 'cgroup.freeze'), '1'),
    go: () => writeFileSync(join(group, 'cgroup.freeze'), '0'),
    end() {
      writeFileSync(join(group, 'cgroup.freeze'), '0')
      try {
        rmdirSync(group)
      } catch {
        // A process has not ended yet. The empty group does no harm.
      }
    },
  }
}

function pauseBySignals(pid: number): Pausing {
  const signal = (name: NodeJS.Signals) => {
    for (const one of [pid, ...listDescendants(pid)])
      try {
        process.kill(one, name)
      } catch {
        // It has ended, or belongs to another user.
      }
  }
  return { stop: () => signal('SIGSTOP'), go: () => signal('SIGCONT'), end: () => signal('SIGCONT') }
}

function listDescendants(pid: number): number[] {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const pairs = processes.map((line) => line.trim().split(/\s+/).map(Number))
  const childrenOf = (parent: number): number[] =>
    pairs.flatMap(([child = 0, of]) => (of === parent ? [child, ...childrenOf(child)] : []))
  return childrenOf(pid)
}
