import { runEncryptionCommand } from '#database'
import { encryptedAuthData } from './encrypted-values.ts'

await runEncryptionCommand(encryptedAuthData, process.argv.slice(2))
