/** A claim of an ID Token that is part of the issuer, such as the tenant. It cannot change the address around it. */
const claimForm = /^[\w.-]{1,100}$/

/** Whether the provider has an issuer for each tenant, with the names of claims in braces. */
export function hasTenants(issuer: string): boolean {
  return /\{\w+\}/.test(issuer)
}

/**
 * Checks `iss` of an ID Token (OpenID Connect Core 3.1.3.7, step 2).
 *
 * @param issuer `{name}` stands for the claim
 * @throws Error if it is of another issuer
 */
export function checkIssuer(issuer: string, claims: Readonly<Record<string, unknown>>): void {
  const expected = issuer.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const claim = claims[name]
    return typeof claim === 'string' && claimForm.test(claim) ? claim : placeholder
  })
  if (claims.iss !== expected) throw new Error('The ID Token is of another issuer (iss).')
}
