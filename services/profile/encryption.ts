import { runEncryptionCommand } from '#database'
import { encryptedProfiles } from './encrypted-values.ts'

await runEncryptionCommand(encryptedProfiles, process.argv.slice(2))
