import { rmdirSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { removeRelocatedPostgres, SetupError } from '#local'
import { dropDatabases } from './databases.ts'
import { findRunningProcess } from './lock.ts'
import { createPaths } from './paths.ts'
import { readSettings, root } from './settings.ts'

/** `npm run reset`: deletes all data of `npm start`, including databases at DATABASE_URL. */
const settings = readSettings(process.env)
const paths = createPaths(settings.LOCAL_DIRECTORY)
const name = relative(root, paths.directory)
const running = findRunningProcess(paths)
if (running !== undefined) {
  console.error(`Process ${running} is running with its data in ${name}. Stop it first, then reset.`)
  process.exit(1)
}
if (settings.DATABASE_URL) {
  try {
    const dropped = await dropDatabases(settings.DATABASE_URL)
    console.log(`Dropped the databases ${dropped.join(', ') || '(there were none)'} at DATABASE_URL.`)
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}
removeRelocatedPostgres(paths.postgres)
const { environment, secrets, logs, run, postgres, redis, nats } = paths
for (const path of [environment, secrets, logs, run, postgres, redis, nats])
  rmSync(path, { recursive: true, force: true })
try {
  rmdirSync(paths.directory)
} catch {
  // It does not exist, or contains other files.
}
console.log(`Deleted all data in ${name}.`)
