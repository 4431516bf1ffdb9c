import type { Knex } from 'knex'

/** A secret of a stream, encrypted. */
export interface EncryptedStreamSecret {
  readonly secret_id: string
  readonly secret_encrypted: Buffer
}

export interface StoredStreamSecret extends EncryptedStreamSecret {
  readonly created_at: Date
  readonly expires_at: Date | null
}

type SecretRow = StoredStreamSecret & { readonly stream_id: string }

/** The valid secrets of streams, by stream, newest first. */
export async function listAuditStreamSecrets(
  knex: Knex,
  streams: readonly string[],
): Promise<ReadonlyMap<string, StoredStreamSecret[]>> {
  const rows: SecretRow[] = await knex('audit_stream_secrets')
    .whereIn('stream_id', streams)
    .whereRaw('coalesce(expires_at > now(), true)')
    .orderByRaw('created_at desc, secret_id')
    .select('stream_id', 'secret_id', 'secret_encrypted', 'created_at', 'expires_at')
  return Map.groupBy(rows, ({ stream_id }) => stream_id)
}

/** Adds the newest secret of a locked stream, whose next attempt is then made at once; the others remain valid for so long. */
export async function insertAuditStreamSecret(
  trx: Knex.Transaction,
  streamId: string,
  { secret_id, secret_encrypted }: EncryptedStreamSecret,
  othersSeconds: number,
): Promise<void> {
  const ofStream = () => trx('audit_stream_secrets').where({ stream_id: streamId })
  await ofStream().update({
    expires_at: trx.raw('least(expires_at, now() + make_interval(secs => ?))', [othersSeconds]),
  })
  await ofStream().whereRaw('expires_at <= now()').delete()
  await trx('audit_stream_secrets').insert({ stream_id: streamId, secret_id, secret_encrypted })
  await trx('audit_streams').where({ stream_id: streamId }).update({ next_attempt_at: trx.fn.now() })
}

/** Removes the secrets of a locked stream. */
export async function deleteAuditStreamSecrets(trx: Knex.Transaction, streamId: string): Promise<void> {
  await trx('audit_stream_secrets').where({ stream_id: streamId }).delete()
}

/** Secrets that are not encrypted with the key whose values begin with `head`. */
export function listStreamSecretsOfOtherKeys(knex: Knex, head: Buffer): Promise<EncryptedStreamSecret[]> {
  return knex('audit_stream_secrets')
    .whereRaw('substring(secret_encrypted for ?) <> ?', [head.length, head])
    .select<EncryptedStreamSecret[]>('secret_id', 'secret_encrypted')
}

/** Replaces the encrypted form, unless another replica has done so. */
export async function replaceStreamSecret(
  knex: Knex,
  { secret_id, secret_encrypted }: EncryptedStreamSecret,
  encrypted: Buffer,
): Promise<void> {
  await knex('audit_stream_secrets').where({ secret_id, secret_encrypted }).update({ secret_encrypted: encrypted })
}
