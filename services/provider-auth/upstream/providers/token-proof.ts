import { createHmac } from 'node:crypto'
import type { OAuth2Protocol } from '#contracts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'

/** Adds to an address the proof that the caller knows the client secret, if the provider has one. */
export function addTokenProof(
  { tokenProofParameter }: Pick<OAuth2Protocol, 'tokenProofParameter'>,
  address: string,
  {
    accessToken,
    settings,
  }: { readonly accessToken: string; readonly settings: Pick<SiteProviderSettings, 'client_secret'> },
): string {
  if (tokenProofParameter === undefined) return address
  const url = new URL(address)
  const proof = createHmac('sha256', settings.client_secret).update(accessToken).digest('hex')
  url.searchParams.set(tokenProofParameter, proof)
  return url.href
}
