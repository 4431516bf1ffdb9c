import { SignJWT } from 'jose'
import type { ProviderAuthHandlers } from '../deps.ts'

/** The media type without `application/` (RFC 7515 4.1.9): nothing else that the keys sign has it. */
const receiptType = 'erasure-receipt+jwt'
/** Small signatures, which every JWT library verifies. */
const receiptAlgorithm = 'ES256'

/**
 * Signs a receipt. It has neither `aud` nor `sub`, which ID Tokens and access tokens must have: it is accepted as neither, also where
 * the type is not checked (RFC 8725 3.12).
 */
export const signErasureReceipt: ProviderAuthHandlers['signErasureReceipt'] = async (
  { receipt_id, erasure },
  { signingKeys, auth_url },
) => {
  const { kid, private_key } = signingKeys.active(receiptAlgorithm)
  const key = signingKeys.known().keys.find((one) => one.kid === kid)
  if (key === undefined) throw new Error(`The public part of the key ${kid} is not known.`)
  const receipt = await new SignJWT({ erasure })
    .setProtectedHeader({ alg: receiptAlgorithm, kid, typ: receiptType })
    .setIssuer(auth_url)
    .setJti(receipt_id)
    .setIssuedAt()
    .sign(private_key)
  return { receipt, key: { ...key } }
}
