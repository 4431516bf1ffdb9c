import { runMigrateCommand } from '#database'
import { migrations } from './migrations/index.ts'

await runMigrateCommand('provider-auth', migrations)
