import { runEncryptionCommand } from '#database'
import { encryptedEvents } from './encrypted-values.ts'

await runEncryptionCommand(encryptedEvents, process.argv.slice(2))
