import { alwaysNull, linkTimes, type ProviderDescription } from './description.ts'
import { search } from './search.ts'

/** Google accounts that were linked by the older login; a login through `search` finds them. */
export const searchLegacy = {
  displayName: { en: 'Google (older login)', ja: 'Google（旧方式）' },
  supplies: search.supplies,
  credential: {
    fields: { access_token: 'access_token', expires_at: 'expires_at', friendship_updated_at: alwaysNull, ...linkTimes },
    longAccessTokens: true,
  },
  chartColor: 'orange.5',
} as const satisfies ProviderDescription
