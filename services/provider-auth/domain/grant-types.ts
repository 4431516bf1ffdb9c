/** `grant_type` of OAuth 2.0 Token Exchange (RFC 8693 2.1). */
export const tokenExchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'
