/**
 * Bytes of each service's database for a user with an account, tokens, a profile and a friend status, with indexes and the events
 * of the import, which are deleted after `EVENTS_DAYS`: `npm run bench:import` measures them.
 */
export const bytesPerUser = {
  identity: 1_200,
  profile: 2_350,
  'provider-auth': 590,
  friendship: 150,
  events: 1_650,
  console: 60,
} as const
