import { runMigrateCommand } from '#database'
import { migrations, profileDistribution } from './migrations/index.ts'

await runMigrateCommand('profile', migrations, profileDistribution)
