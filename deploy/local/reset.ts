import { rmSync } from 'node:fs'
import { relative } from 'node:path'
import { removeFarHome } from '#local'
import { runningStart } from './claim.ts'
import { placesIn } from './places.ts'
import { readSettings, root } from './settings.ts'

const settings = readSettings(process.env)
const places = placesIn(settings.LOCAL_DIRECTORY)
const name = relative(root, places.directory)
const running = runningStart(places)
if (running !== undefined) {
  console.error(`It runs, as process ${running} with its data in ${name}. Stop it first, then reset.`)
  process.exit(1)
}
removeFarHome(places.postgres)
rmSync(places.directory, { recursive: true, force: true })
console.log(`Forgot everything in ${name}.`)
if (settings.DATABASE_URL) console.log('The databases at DATABASE_URL are left as they are.')
