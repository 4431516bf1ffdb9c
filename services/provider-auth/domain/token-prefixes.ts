/** Prefixes of our secrets, so that kinds are never confused and leaked secrets are recognized. Our choice. */
export const tokenPrefixes = {
  client_id: 'slcl_',
  client_secret: 'slcs_',
  authorization_code: 'slac_',
  access_token: 'slat_',
  association_token: 'slas_',
  one_time_token: 'slot_',
  test_login: 'sltl_',
} as const
