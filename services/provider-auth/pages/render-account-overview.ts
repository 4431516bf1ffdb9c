import type { BrowserFamily, ReceivedData } from '#contracts'
import { createPages, type PageResponse } from '#http'
import { getBase, nameApplication, nameProvider, nameSite } from './account-parts.ts'
import type { AccountView, PageOf } from './account-view.ts'
import { getPageLanguage } from './context/language.ts'
import { getPageContext } from './context/page-context.ts'
import { describeActivity } from './describe-activity.ts'
import { isolate } from './layout.ts'

const writePage = createPages(import.meta.dirname)

/** Renders linked accounts, sessions, and what can be done with the data. */
export function renderAccountOverview(ctx: PageResponse, view: AccountView, page: PageOf<'overview'>): void {
  const { language, texts } = getPageLanguage(ctx)
  const { accounts, sessions, applications, activity, data, deletion, ...text } = texts.account
  // The end user's time zone is not known.
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' })
  const minute = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  const list = new Intl.ListFormat(language, { type: 'conjunction' })
  const formatDay = (time: string) => day.format(new Date(time))
  const formatTime = (ms: number) => `${minute.format(ms)} UTC`
  writePage(ctx, 200, 'account', {
    ...getBase(ctx, view),
    heading: text.heading,
    explanation: text.explanation({ site: nameSite(ctx, view) }),
    text: {
      accounts,
      sessions,
      applications,
      activity,
      data,
      deletion,
      log_out: text.log_out,
    },
    accounts: page.accounts.map((account) => ({
      ...account,
      name: nameProvider(ctx, account.provider),
      added: accounts.added({ date: formatDay(account.added_at) }),
      remove: accounts.remove({ provider: nameProvider(ctx, account.provider) }),
    })),
    add_address: page.add_address,
    sessions: page.sessions.map((session) => ({
      ...session,
      browser: nameBrowser(session.browser, sessions),
      provider: sessions.provider({ provider: nameProvider(ctx, session.provider) }),
      started: sessions.started({ time: formatTime(session.started_at_ms) }),
      last_used: sessions.last_used({ time: formatTime(session.last_used_at_ms) }),
    })),
    end_address: page.end_address,
    end_others_address: page.end_others_address,
    applications: page.applications.map((application) => {
      const isSite = application.client_id === null
      const name = isSite ? applications.site({ site: nameSite(ctx, view) }) : nameApplication(ctx, application.name)
      const { first_at, last_at, access_removed_at, remove_address } = application
      const received = list.format(application.received.map((one) => nameReceivedData(one, applications.data)))
      return {
        name,
        received: isSite ? applications.all_data : applications.received({ data: received }),
        first: applications.first({ date: formatDay(first_at) }),
        last: applications.last({ date: formatDay(last_at) }),
        access_removed: access_removed_at && applications.access_removed({ date: formatDay(access_removed_at) }),
        remove: applications.remove({ application: name }),
        remove_address,
      }
    }),
    activity: page.activity.flatMap((entry) => {
      const what = describeActivity(ctx, entry)
      return what === undefined ? [] : [{ what, at: entry.time, time: formatTime(Date.parse(entry.time)) }]
    }),
    download_address: page.download_address,
    deletion:
      page.delete_at === undefined
        ? undefined
        : { at: page.delete_at, text: deletion.pending({ date: formatTime(Date.parse(page.delete_at)) }) },
    delete_address: page.delete_address,
    keep_address: page.keep_address,
    log_out_address: page.log_out_address,
    hidden: page.hidden,
    forward: getForward(ctx),
  })
}

function nameReceivedData(data: ReceivedData, texts: Readonly<Record<ReceivedData, string>>): string {
  const { openid, profile, email, address, phone, user_metadata, app_metadata, consents } = texts
  return { openid, profile, email, address, phone, user_metadata, app_metadata, consents }[data]
}

const browserNames: Partial<Record<BrowserFamily, string>> = {
  chrome: 'Chrome',
  edge: 'Edge',
  safari: 'Safari',
  firefox: 'Firefox',
  samsung: 'Samsung Internet',
  line: 'LINE',
}

function nameBrowser(browser: BrowserFamily, texts: Readonly<Record<'yahoo_japan' | 'other_app' | 'other', string>>) {
  return browserNames[browser] ?? (browser === 'yahoo_japan' || browser === 'other_app' ? texts[browser] : texts.other)
}

/** The link to the page of the site where a login begins; undefined if the site or the page is unknown. */
function getForward(ctx: PageResponse) {
  const { name: site, start_url: address } = getPageContext(ctx).branding
  const { texts } = getPageLanguage(ctx)
  return site === undefined || address === null
    ? undefined
    : { address, text: texts.go_to_site({ site: isolate(site) }) }
}
