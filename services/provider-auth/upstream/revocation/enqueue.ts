import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { z } from 'zod'
import { isBuiltIn, limits, type Provider } from '#contracts'
import { encryptPayload, enqueueJob } from '#database'
import { DecryptionError, type Encryptor, type Logger } from '#runtime'
import type { FindProviderClient } from '../../domain/provider-client.ts'
import {
  decryptUndamagedTokens,
  type EncryptedCredential,
  type RemovedCredential,
} from '../../store/encrypted-credentials.ts'
import { builtInKey } from '../providers/index.ts'
import { ProviderGrant, type RevocationPayload, revocationTask } from './revocation-job.ts'

interface RevocationDeps {
  readonly encryptor: Encryptor
  readonly findProviderClient: FindProviderClient
  readonly logger: Logger
}

/** Enqueues the revocation of credentials at their login providers, in the transaction that deletes the credentials. */
export async function enqueueProviderRevocation(
  trx: Knex.Transaction,
  parts: RevocationDeps,
  credentials: readonly RemovedCredential[],
): Promise<void> {
  for (const credential of credentials) {
    const grant = await toProviderGrant(credential, parts)
    if (grant === undefined || !mayRevoke(grant.provider, parts)) continue
    const key = `${revocationTask}:${randomUUID()}`
    const payload: z.input<typeof RevocationPayload> = {
      ...encryptPayload(parts.encryptor, key, grant),
      provider: grant.provider,
      give_up_at: new Date(Date.now() + limits.provider_revocation_seconds * 1_000).toISOString(),
    }
    await enqueueJob(trx, { task: revocationTask, key, payload, immediate: true })
  }
}

/** Whether a provider has a way to revoke; what a site configured is known when it is done. */
function mayRevoke(provider: Provider, { findProviderClient }: RevocationDeps): boolean {
  return !isBuiltIn(provider) || findProviderClient(builtInKey(provider))?.revoke !== undefined
}

/** Undefined if there is no token to revoke, or none that can be decrypted: the deletion succeeds anyway. */
async function toProviderGrant(
  credential: RemovedCredential,
  { encryptor, logger }: Pick<RevocationDeps, 'encryptor' | 'logger'>,
): Promise<ProviderGrant | undefined> {
  try {
    const grant = ProviderGrant.parse(
      isEncrypted(credential) ? await decryptUndamagedTokens(encryptor, credential) : credential,
    )
    return grant.access_token === null && grant.refresh_token === null ? undefined : grant
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error
    logger.error(
      { error, provider: credential.provider },
      'provider revocation skipped: the tokens cannot be decrypted',
    )
    return undefined
  }
}

function isEncrypted(credential: RemovedCredential): credential is EncryptedCredential {
  return [credential.access_token, credential.access_secret, credential.refresh_token].some(Buffer.isBuffer)
}
