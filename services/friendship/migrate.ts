import { runMigrateCommand } from '#database'
import { friendshipDistribution, migrations } from './migrations/index.ts'

await runMigrateCommand('friendship', migrations, friendshipDistribution)
