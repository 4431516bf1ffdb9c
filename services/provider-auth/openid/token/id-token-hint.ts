import { compactVerify, createLocalJWKSet } from 'jose'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { signingAlgorithms } from '../../domain/signing-algorithms.ts'

const IdToken = z.object({ iss: z.string(), aud: z.string(), sub: z.string() })

type Issuer = Pick<Deps, 'signingKeys'> & { readonly hosts: Pick<Deps['hosts'], 'isIssuer'> }

/**
 * The user that an `id_token_hint` is about: the `sub` of an ID Token that we signed for this client, which may have
 * expired (OpenID Connect Core 3.1.2.1); null without a hint. It does not authenticate the user; it is only compared.
 *
 * @returns undefined if it is not such a token
 */
export async function verifyIdTokenHint(
  hint: string | undefined,
  clientId: string,
  deps: Issuer,
): Promise<string | null | undefined> {
  if (hint === undefined) return null
  const token = await verifyOwnIdToken(hint, deps)
  return token?.client_id === clientId ? token.sub : undefined
}

/**
 * The client and user of an ID Token that we signed, on any host and even if it has expired; undefined for any other token.
 */
export async function verifyOwnIdToken(
  idToken: string,
  { signingKeys, hosts }: Issuer,
): Promise<{ readonly client_id: string; readonly sub: string } | undefined> {
  try {
    const { payload } = await compactVerify(idToken, createLocalJWKSet(signingKeys.known()), {
      algorithms: [...signingAlgorithms],
    })
    const { iss, aud, sub } = IdToken.parse(JSON.parse(new TextDecoder().decode(payload)))
    return hosts.isIssuer(iss) ? { client_id: aud, sub } : undefined
  } catch {
    return undefined
  }
}
