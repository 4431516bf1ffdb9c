import { runMigrateCommand } from '#database'
import { migrations } from './migrations/index.ts'

await runMigrateCommand('events', migrations)
