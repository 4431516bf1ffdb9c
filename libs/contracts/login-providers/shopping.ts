import { linkTimes, type ProviderDescription } from './description.ts'

/**
 * Rakuten: links from earlier systems. The specification has no credential object for it; it has the fields of every
 * link (our choice).
 */
export const shopping = {
  displayName: { en: 'Rakuten', ja: '楽天' },
  supplies: [],
  credential: { fields: linkTimes },
  chartColor: 'pink.7',
} as const satisfies ProviderDescription
