import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { z } from 'zod'
import { limits } from '#contracts'
import { enqueueJob } from '#database'
import { DecryptionError, type Encryptor, type Logger } from '#runtime'
import type { FindLoginProvider } from '../providers/index.ts'
import { type AbandonedCredential, type EncryptedCredential, openUndamaged } from '../store/encrypted-credentials.ts'
import { Departure, type Payload, placeOf, task } from './departure.ts'

interface LeavingParts {
  readonly encryptor: Encryptor
  readonly findLoginProvider: FindLoginProvider
  readonly logger: Logger
}

/** Makes sure, in the transaction that abandons credentials, that the login providers are left by a job. */
export async function enqueueLeaving(
  trx: Knex.Transaction,
  parts: LeavingParts,
  abandoned: readonly AbandonedCredential[],
): Promise<void> {
  for (const credential of abandoned) {
    const departure = await departureOf(credential, parts)
    if (departure === undefined || parts.findLoginProvider(departure.provider)?.leave === undefined) continue
    const key = `${task}:${randomUUID()}`
    const payload: z.input<typeof Payload> = {
      key,
      encrypted: parts.encryptor.encrypt(JSON.stringify(departure), placeOf(key)).toString('base64'),
      provider: departure.provider,
      give_up_at: new Date(Date.now() + limits.provider_revocation_seconds * 1_000).toISOString(),
    }
    await enqueueJob(trx, { task, key, payload, immediate: true })
  }
}

/** Undefined when there is no token to leave with, or none that can be opened: nobody is kept for that. */
async function departureOf(
  credential: AbandonedCredential,
  { encryptor, logger }: Pick<LeavingParts, 'encryptor' | 'logger'>,
): Promise<Departure | undefined> {
  try {
    const departure = Departure.parse(isEncrypted(credential) ? await openUndamaged(encryptor, credential) : credential)
    return departure.access_token === null && departure.refresh_token === null ? undefined : departure
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error
    logger.error({ error, provider: credential.provider }, 'a login provider is not left: its tokens cannot be opened')
    return undefined
  }
}

function isEncrypted(credential: AbandonedCredential): credential is EncryptedCredential {
  return [credential.access_token, credential.access_secret, credential.refresh_token].some(Buffer.isBuffer)
}
