import { runMigrateCommand } from '#database'
import { distribution, migrations } from './migrations/index.ts'

await runMigrateCommand('provider-auth', migrations, distribution)
