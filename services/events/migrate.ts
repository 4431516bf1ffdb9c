import { runMigrateCommand } from '#database'
import { eventsDistribution, migrations } from './migrations/index.ts'

await runMigrateCommand('events', migrations, eventsDistribution)
