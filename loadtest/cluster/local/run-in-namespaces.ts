import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createCgroup, removeCgroup } from './cgroups.ts'

const stopMs = 20_000

/** Moves itself to cgroups, then starts a program in namespaces of its own, which end with the program. */
const enter = 'while [ "$1" != -- ]; do echo $$ >"$1"; shift; done; shift; exec "$@"'
/** The first process of a PID namespace must wait for processes whose parents have ended. */
const reap = '"$@"; exit $?'

interface Options {
  readonly cgroup: string
  readonly environment: NodeJS.ProcessEnv
  readonly interruption: AbortSignal
}

/**
 * Runs a program as the first of its own namespaces and cgroup. All processes in them are killed at the end, and nothing of their
 * mounts and networks remains. When this process is interrupted or killed, the IPC channel of the program closes.
 *
 * @returns the exit code
 */
export async function runInNamespaces(
  command: readonly string[],
  { cgroup, environment, interruption }: Options,
): Promise<number> {
  const unshare = ['unshare', '--mount', '--net', '--pid', '--uts', '--ipc', '--cgroup', '--fork', '--kill-child']
  const args = ['-c', enter, 'sh', ...createCgroup(cgroup), '--', ...unshare, '--mount-proc']
  const child = spawn('sh', [...args, 'sh', '-c', reap, 'sh', ...command], {
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true, // Ctrl-C reaches only this process.
  })
  interruption.addEventListener('abort', () => {
    if (child.connected) child.disconnect()
    setTimeout(() => child.kill('SIGKILL'), stopMs).unref()
  })
  const [code] = await once(child, 'exit')
  await waitUntilEmpty(cgroup)
  return typeof code === 'number' ? code : 1
}

/** Killed processes leave their cgroup a moment later. */
async function waitUntilEmpty(cgroup: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return removeCgroup(cgroup)
    } catch (error) {
      if (attempt === 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
