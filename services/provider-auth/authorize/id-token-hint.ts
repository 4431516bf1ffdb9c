import { compactVerify, createLocalJWKSet } from 'jose'
import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { signingAlgorithms } from '../keys/signing-keys.ts'

const Hinted = z.object({ iss: z.string(), aud: z.string(), sub: z.string() })

/**
 * Whom an `id_token_hint` is about: the `sub` of an ID Token that we signed for this client, which may have expired (OpenID
 * Connect Core 3.1.2.1); null when there is no hint. It proves nothing and is compared alone.
 *
 * @returns undefined when it is no such token
 */
export async function readIdTokenHint(
  hint: string | undefined,
  client_id: string,
  { keys, auth_url }: Pick<Deps, 'keys' | 'auth_url'>,
): Promise<string | null | undefined> {
  if (hint === undefined) return null
  try {
    const { payload } = await compactVerify(hint, createLocalJWKSet(keys.known()), {
      algorithms: [...signingAlgorithms],
    })
    const { iss, aud, sub } = Hinted.parse(JSON.parse(new TextDecoder().decode(payload)))
    return iss === auth_url && aud === client_id ? sub : undefined
  } catch {
    return undefined
  }
}
