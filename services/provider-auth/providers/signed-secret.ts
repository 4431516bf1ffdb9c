import { importPKCS8, SignJWT } from 'jose'
import type { ProviderSettings } from '../domain/provider-settings.ts'

/** A secret is signed for one request, so that it need not live long. Our choice. */
const secretLifetime = '5m'

/**
 * A client secret that is a token of our own: signed with the private key of the settings (ES256, PEM of PKCS #8), issued by
 * the team, about the client, for the provider.
 *
 * @param audience the provider's issuer
 */
export async function signClientSecret(
  { client_id, client_secret, options }: Pick<ProviderSettings, 'client_id' | 'client_secret' | 'options'>,
  audience: string,
): Promise<string> {
  const { team_id, key_id } = options
  if (team_id === undefined || key_id === undefined) throw new Error('The settings have no team_id and key_id.')
  const key = await importPKCS8(client_secret, 'ES256')
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: key_id })
    .setIssuer(team_id)
    .setSubject(client_id)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime(secretLifetime)
    .sign(key)
}

/** Whether secrets can be signed with it: a private key of P-256, as PEM of PKCS #8. */
export async function isPrivateKey(clientSecret: string): Promise<boolean> {
  return importPKCS8(clientSecret, 'ES256').then(
    () => true,
    () => false,
  )
}
