import { runMigrateCommand } from '#database'
import { distribution, migrations } from './migrations/index.ts'

await runMigrateCommand('identity', migrations, distribution)
