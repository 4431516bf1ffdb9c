import { runMigrateCommand } from '#database'
import { identityDistribution, migrations } from './migrations/index.ts'

await runMigrateCommand('identity', migrations, identityDistribution)
