import { runMigrateCommand } from '#database'
import { migrations, providerAuthDistribution } from './migrations/index.ts'

await runMigrateCommand('provider-auth', migrations, providerAuthDistribution)
