import { importPKCS8, SignJWT } from 'jose'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'

/** The lifetime of a signed secret, which is used for one request. Our choice. */
const secretLifetime = '5m'

/**
 * Signs a client secret: a JWT signed with the private key of the settings (ES256, PKCS #8 in PEM), issued by the team,
 * about the client, for the provider.
 *
 * @param audience the provider's issuer
 */
export async function signClientSecret(
  { client_id, client_secret, options }: Pick<SiteProviderSettings, 'client_id' | 'client_secret' | 'options'>,
  audience: string,
): Promise<string> {
  const { team_id, key_id } = options
  if (team_id === undefined || key_id === undefined) throw new Error('The provider settings have no team_id or key_id.')
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

/** Whether it is a private key on P-256, as PKCS #8 in PEM. */
export async function isPrivateKey(clientSecret: string): Promise<boolean> {
  return importPKCS8(clientSecret, 'ES256').then(
    () => true,
    () => false,
  )
}
