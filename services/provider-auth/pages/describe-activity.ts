import { eventTypes, type HistoryEntry } from '#contracts'
import type { PageResponse } from '#http'
import { nameApplication, nameProvider } from './account-parts.ts'
import { getPageLanguage } from './context/language.ts'

/** Says what an end user did; undefined: the page does not show it. */
export function describeActivity(ctx: PageResponse, { type, data }: HistoryEntry): string | undefined {
  const { activity } = getPageLanguage(ctx).texts.account
  switch (type) {
    case 'user.created':
      return activity.created
    case 'user.logged_in':
    case 'user.linked':
    case 'user.unlinked': {
      const provider = eventTypes[type].data.safeParse(data).data?.provider
      if (provider === undefined) return undefined
      const text = {
        'user.logged_in': activity.logged_in,
        'user.linked': activity.linked,
        'user.unlinked': activity.unlinked,
      }
      return text[type]({ provider: nameProvider(ctx, provider) })
    }
    case 'user.consents_changed':
      return activity.consents_changed
    case 'user.sessions_ended': {
      const { sessions = 1 } = eventTypes[type].data.safeParse(data).data ?? {}
      return activity.sessions_ended({ count: sessions })
    }
    case 'user.data_downloaded':
      return activity.data_downloaded
    case 'user.access_removed':
      return activity.access_removed({
        application: nameApplication(ctx, eventTypes[type].data.safeParse(data).data?.name ?? null),
      })
    case 'user.deletion_requested':
      return activity.deletion_requested
    case 'user.deletion_canceled':
      return activity.deletion_canceled
    default:
      return undefined
  }
}
