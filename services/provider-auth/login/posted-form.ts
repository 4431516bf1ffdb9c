import { z } from 'zod'
import { limits } from '#contracts'
import { hashSecret, type Place } from '#runtime'
import type { Deps } from '../deps.ts'

/** The longest form: it has a code and a name, or an ID Token, and is sent on encrypted in a URL. Our choice. */
const mostBytes = 4_096

const Posted = z.object({ form: z.string(), ends_at_ms: z.number() })

/**
 * Encrypts a form that another site had the browser post, for the URL of the GET request to which we redirect the browser
 * to get our cookies. Nothing that a stranger can post is stored. Undefined when the form is too long.
 *
 * @param purpose the form decrypts only for it: the state of a login, or `logout`
 */
export function sealPostedForm(purpose: string, form: string, { sealer }: Pick<Deps, 'sealer'>): string | undefined {
  if (form.length > mostBytes) return undefined
  const endsAtMs = Date.now() + limits.returned_form_seconds * 1_000
  return sealer.seal(JSON.stringify({ form, ends_at_ms: endsAtMs }), placeOf(purpose)).toString('base64url')
}

/** Decrypts a form for its purpose; undefined when it does not decrypt or has expired. */
export async function openPostedForm(
  purpose: string,
  sealed: string | undefined,
  { sealer }: Pick<Deps, 'sealer'>,
): Promise<string | undefined> {
  if (sealed === undefined) return undefined
  const plain = await sealer.openReturned(Buffer.from(sealed, 'base64url'), placeOf(purpose))
  if (plain === undefined) return undefined
  const { form, ends_at_ms } = Posted.parse(JSON.parse(plain))
  return Date.now() < ends_at_ms ? form : undefined
}

function placeOf(purpose: string): Place {
  return ['posted_forms', hashSecret(purpose)]
}
