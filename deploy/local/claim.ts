import { mkdirSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { LocalFailure, removePidFile, runningPid, stopLeftOver, writePidFile } from '#local'
import type { Places } from './places.ts'
import { root } from './settings.ts'

/** How long a service of a killed run may take to stop. */
const leftOverDeadlineMs = 30_000

/** The process that runs with these places, if there is one. */
export function runningStart(places: Places): number | undefined {
  return runningPid(places.pidFile('start'))
}

/**
 * Takes the places for this process and stops what a killed run left there. Throws a sentence when another one runs with
 * them. The returned function gives them back.
 */
export async function claim(places: Places): Promise<() => void> {
  const other = runningStart(places)
  if (other !== undefined) {
    const name = relative(root, places.directory)
    throw new LocalFailure(
      `It runs already, as process ${other} with its data in ${name}. Stop that one first, or give this one a LOCAL_DIRECTORY and ports of its own.`,
    )
  }
  // Open enough that the user PostgreSQL runs as gets to its own folder; what is in here is closed one by one.
  mkdirSync(places.directory, { recursive: true, mode: 0o711 })
  for (const folder of [places.run, places.logs]) mkdirSync(folder, { recursive: true, mode: 0o700 })
  const mine = places.pidFile('start')
  removePidFile(mine)
  writePidFile(mine, process.pid, 'wx')
  const leftOver = readdirSync(places.run).map((file) => join(places.run, file))
  await Promise.all(
    leftOver.filter((file) => file !== mine).map((file) => stopLeftOver(file, 'SIGTERM', leftOverDeadlineMs)),
  )
  return () => removePidFile(mine)
}
