import { mkdirSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { removePidFile, runningPid, SetupError, stopLeftOver, writePidFile } from '#local'
import type { Paths } from './paths.ts'
import { root } from './settings.ts'

/** How long a service of a killed run may take to stop. */
const leftOverDeadlineMs = 30_000

/** The process that uses this directory, if there is one. */
export function findRunningProcess(paths: Paths): number | undefined {
  return runningPid(paths.pidFile('start'))
}

/**
 * Locks the directory for this process and stops processes that a killed run left. The returned function unlocks it.
 *
 * @throws SetupError if another process uses the directory
 */
export async function acquireLock(paths: Paths): Promise<() => void> {
  const other = findRunningProcess(paths)
  if (other !== undefined) {
    const name = relative(root, paths.directory)
    throw new SetupError(
      `Already running as process ${other} with its data in ${name}. Stop that process first, or set another LOCAL_DIRECTORY and other ports.`,
    )
  }
  // PostgreSQL's user must be able to enter its own directory; the other files and directories are private.
  mkdirSync(paths.directory, { recursive: true, mode: 0o711 })
  for (const directory of [paths.run, paths.logs]) mkdirSync(directory, { recursive: true, mode: 0o700 })
  const mine = paths.pidFile('start')
  removePidFile(mine)
  writePidFile(mine, process.pid, 'wx')
  const leftOver = readdirSync(paths.run).map((file) => join(paths.run, file))
  await Promise.all(
    leftOver.filter((file) => file !== mine).map((file) => stopLeftOver(file, 'SIGTERM', leftOverDeadlineMs)),
  )
  return () => removePidFile(mine)
}
