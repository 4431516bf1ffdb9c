import { z } from 'zod'
import type { EncryptionContext, Encryptor } from '#runtime'
import type { EncryptedText } from './encryption/encrypted-values.ts'

/** The payload of a job with personal data or tokens. */
export const EncryptedPayload = z.object({ key: z.string(), encrypted: z.base64() })

/** The payloads of jobs of a service that encrypts them. */
export const encryptedJobs: EncryptedText = { table: 'jobs', base64: `payload->>'encrypted'` }

/** Encrypts a job's input, as JSON, for the job with this key. */
export function encryptPayload(
  encryptor: Pick<Encryptor, 'encrypt'>,
  key: string,
  input: unknown,
): z.infer<typeof EncryptedPayload> {
  return { key, encrypted: encryptor.encrypt(JSON.stringify(input), contextOf(key)).toString('base64') }
}

/** @param payload from the database; it is parsed. @throws DecryptionError */
export async function decryptPayload(encryptor: Pick<Encryptor, 'decrypt'>, payload: unknown): Promise<unknown> {
  const { key, encrypted } = EncryptedPayload.parse(payload)
  return JSON.parse(await encryptor.decrypt(Buffer.from(encrypted, 'base64'), contextOf(key)))
}

function contextOf(key: string): EncryptionContext {
  return ['jobs', key]
}
