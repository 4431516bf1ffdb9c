import { rmdirSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { LocalFailure, removeFarHome } from '#local'
import { runningStart } from './claim.ts'
import { dropDatabases } from './databases.ts'
import { placesIn } from './places.ts'
import { readSettings, root } from './settings.ts'

/** `npm run reset`: forgets what the starts have kept, at the server of DATABASE_URL too. */
const settings = readSettings(process.env)
const places = placesIn(settings.LOCAL_DIRECTORY)
const name = relative(root, places.directory)
const running = runningStart(places)
if (running !== undefined) {
  console.error(`It runs, as process ${running} with its data in ${name}. Stop it first, then reset.`)
  process.exit(1)
}
if (settings.DATABASE_URL) {
  try {
    const dropped = await dropDatabases(settings.DATABASE_URL)
    console.log(`Dropped the databases ${dropped.join(', ') || '(there were none)'} at DATABASE_URL.`)
  } catch (error) {
    if (!(error instanceof LocalFailure)) throw error
    console.error(error.message)
    process.exit(1)
  }
}
removeFarHome(places.postgres)
const { environment, secrets, logs, run, postgres, redis, nats } = places
for (const path of [environment, secrets, logs, run, postgres, redis, nats])
  rmSync(path, { recursive: true, force: true })
try {
  rmdirSync(places.directory)
} catch {
  // it was never there, or holds something that is not ours
}
console.log(`Forgot everything in ${name}.`)
