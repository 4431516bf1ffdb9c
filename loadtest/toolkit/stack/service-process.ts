import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createChildError, findFreePort, startChild } from '#local'

/** Starts one service as a process of its own, and waits until it is ready. It logs to `<directory>/<name>.log`. */
export async function startServiceProcess(
  name: string,
  directory: string,
  environment: NodeJS.ProcessEnv,
): Promise<AsyncDisposable> {
  const operationsPort = await findFreePort()
  const child = await startChild({
    title: name,
    command: process.execPath,
    args: [join(import.meta.dirname, '../../../services', name, 'main.ts')],
    log: join(directory, `${name}.log`),
    pidFile: join(directory, `${name}.pid`),
    environment: { PATH: process.env.PATH, OPS_PORT: String(operationsPort), DRAIN_SECONDS: '0', ...environment },
    stopSignal: 'SIGTERM',
    stopDeadlineMs: 30_000,
    stopsWithParentBy: 'ipc',
  })
  const checkReadiness = () => fetch(`http://localhost:${operationsPort}/readyz`).catch(() => undefined)
  while (!(await checkReadiness())?.ok) {
    if (child.ended() !== undefined)
      throw createChildError(child, name, `ended with ${child.ended()} instead of starting`)
    await delay(50)
  }
  return { [Symbol.asyncDispose]: child.stop }
}
