/** How our secrets begin, so that one kind is never taken for another and a leaked one is recognized. Our choice. */
export const tokenPrefixes = {
  client_id: 'slcl_',
  client_secret: 'slcs_',
  authorization_code: 'slac_',
  access_token: 'slat_',
  association_token: 'slas_',
  one_time_token: 'slot_',
  test_login: 'sltl_',
} as const
