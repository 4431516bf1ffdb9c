import { z } from 'zod'
import { limits } from '#contracts'
import { type EncryptionContext, hashSecret } from '#runtime'
import type { Deps } from '../../deps.ts'

/**
 * Maximum length of a form. It contains a code and a name, or an ID Token, and is passed on encrypted in a URL. Our
 * choice.
 */
const maxFormBytes = 4_096

const Posted = z.object({ form: z.string(), ends_at_ms: z.number() })

/**
 * Encrypts a form that another site had the browser post, for the URL of the GET request to which we redirect the
 * browser to receive our cookies. Nothing that unauthenticated callers post is stored. Undefined if the form is too
 * long.
 *
 * @param purpose the form can be decrypted only for it: the state of a login, or a part of a logout
 */
export function encryptPostedForm(
  purpose: string,
  form: string,
  { encryptor }: Pick<Deps, 'encryptor'>,
  lifetimeSeconds: number = limits.posted_callback_seconds,
): string | undefined {
  if (form.length > maxFormBytes) return undefined
  const endsAtMs = Date.now() + lifetimeSeconds * 1_000
  return encryptor
    .encrypt(JSON.stringify({ form, ends_at_ms: endsAtMs }), encryptionContextOf(purpose))
    .toString('base64url')
}

/** Decrypts a form for its purpose; undefined if it cannot be decrypted or has expired. */
export async function decryptPostedForm(
  purpose: string,
  encrypted: string | undefined,
  { encryptor }: Pick<Deps, 'encryptor'>,
): Promise<string | undefined> {
  if (encrypted === undefined) return undefined
  const plain = await encryptor.decryptReturned(Buffer.from(encrypted, 'base64url'), encryptionContextOf(purpose))
  if (plain === undefined) return undefined
  const { form, ends_at_ms } = Posted.parse(JSON.parse(plain))
  return Date.now() < ends_at_ms ? form : undefined
}

function encryptionContextOf(purpose: string): EncryptionContext {
  return ['posted_forms', hashSecret(purpose)]
}
