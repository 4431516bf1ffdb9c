import { z } from 'zod'
import { optionalText } from './optional-text.ts'

/** The claim `address` (OpenID Connect Core 5.1.1). Anything but an object counts as empty. */
export const Address = z
  .object({ postal_code: optionalText, region: optionalText, locality: optionalText, street_address: optionalText })
  .partial()
  .catch({})
  .default({})

/** The profile fields of an address. */
export function toAddressFields({ postal_code, region, locality, street_address }: z.output<typeof Address>) {
  return { postal_code, prefecture: region, city: locality, street: street_address }
}
