import type { BrowserFamily, LoginProvider, Provider } from '#contracts'
import { createPages, type PageResponse } from '#http'
import { type AccountNotice, successNotices } from './account-notices.ts'
import { buttonsStylesheetPath } from './buttons/login-buttons.ts'
import { setFormRedirectPolicy } from './content-security-policy.ts'
import { getPageLanguage } from './context/language.ts'
import { getPageContext } from './context/page-context.ts'
import { getButtonLabel, getDisplayName, sortForSite } from './context/site-branding.ts'
import { getLayout, isolate, isolateIn } from './layout.ts'

/** A linked account. */
interface LinkedAccount {
  readonly provider: Provider
  /** RFC 3339. */
  readonly added_at: string
  /** Whether the end user is logged in with it. */
  readonly is_current: boolean
  /** Undefined: it cannot be removed. */
  readonly remove_address: string | undefined
}

/** A session in a browser. */
export interface AccountSession {
  /** For the form that ends it. */
  readonly name: string
  readonly browser: BrowserFamily
  readonly provider: Provider
  /** Unix time in milliseconds. */
  readonly started_at_ms: number
  readonly last_used_at_ms: number
  readonly is_current: boolean
}

/** Hidden fields of a form. */
type Hidden = Readonly<Record<string, string>>

/** A page for end users about their account. */
export interface AccountView {
  readonly page:
    | {
        readonly kind: 'log_in' | 'fresh_login'
        /** Where each login starts. */
        readonly options: readonly { readonly provider: LoginProvider; readonly address: string }[]
        readonly last_provider: string | undefined
      }
    | {
        readonly kind: 'overview'
        readonly accounts: readonly LinkedAccount[]
        /** Undefined: the site has no provider that is not linked. */
        readonly add_address: string | undefined
        readonly sessions: readonly AccountSession[]
        readonly end_address: string
        /** Undefined: there are no others. */
        readonly end_others_address: string | undefined
        readonly download_address: string
        readonly log_out_address: string
        readonly hidden: Hidden
      }
    | {
        readonly kind: 'add'
        readonly providers: readonly LoginProvider[]
        readonly action: string
        readonly hidden: Hidden
      }
    | {
        readonly kind: 'remove'
        readonly provider: Provider
        readonly is_current: boolean
        readonly action: string
        readonly hidden: Hidden
      }
    | { readonly kind: 'end_others' | 'download'; readonly action: string; readonly hidden: Hidden }
  readonly notice: AccountNotice | undefined
  readonly site: { readonly account: string; readonly site_id: string }
  /** The address of the overview. */
  readonly home_address: string
}

type PageOf<K extends AccountView['page']['kind']> = Extract<AccountView['page'], { readonly kind: K }>

const writePage = createPages(import.meta.dirname)

/** Renders a page for end users about their account. */
export function renderAccountView(ctx: PageResponse, view: AccountView): void {
  const { page } = view
  if (page.kind === 'overview') renderOverview(ctx, view, page)
  else if (page.kind === 'add') renderAdd(ctx, view, page)
  else if ('options' in page) renderLogin(ctx, view, page)
  else renderQuestion(ctx, view, page)
}

function renderLogin(ctx: PageResponse, view: AccountView, page: PageOf<'log_in' | 'fresh_login'>): void {
  const { texts } = getPageLanguage(ctx)
  const { branding } = getPageContext(ctx)
  const { log_in, fresh_login } = texts.account
  const { more_after } = branding.look?.theme ?? {}
  const { last_provider: last } = page
  const sorted = sortForSite(page.options, branding).toSorted(
    (one, other) => Number(other.provider === last) - Number(one.provider === last),
  )
  const options = sorted.map((option) => ({ ...option, text: labelOf(ctx, option.provider) }))
  const shown = more_after ?? options.length
  const isFirst = page.kind === 'log_in'
  writePage(ctx, 200, 'choice', {
    ...getBase(ctx, view),
    heading: isFirst ? log_in.heading : fresh_login.heading,
    explanation: isFirst ? log_in.explanation({ site: nameSite(ctx, view) }) : fresh_login.explanation,
    more: texts.choice.more,
    arrangement: branding.look?.theme.buttons ?? 'list',
    options: options.slice(0, shown),
    further_options: options.slice(shown),
    back: isFirst ? undefined : { address: view.home_address, text: texts.account.back },
  })
}

function renderOverview(ctx: PageResponse, view: AccountView, page: PageOf<'overview'>): void {
  const { language, texts } = getPageLanguage(ctx)
  const { accounts, sessions, data, ...text } = texts.account
  // The end user's time zone is not known.
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' })
  const minute = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  const formatTime = (ms: number) => `${minute.format(ms)} UTC`
  writePage(ctx, 200, 'account', {
    ...getBase(ctx, view),
    heading: text.heading,
    explanation: text.explanation({ site: nameSite(ctx, view) }),
    text: { accounts, sessions, data, log_out: text.log_out },
    accounts: page.accounts.map((account) => ({
      ...account,
      name: nameProvider(ctx, account.provider),
      added: accounts.added({ date: day.format(new Date(account.added_at)) }),
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
    download_address: page.download_address,
    log_out_address: page.log_out_address,
    hidden: page.hidden,
    forward: getForward(ctx),
  })
}

function renderAdd(ctx: PageResponse, view: AccountView, page: PageOf<'add'>): void {
  const { texts } = getPageLanguage(ctx)
  const { branding } = getPageContext(ctx)
  const { add, back } = texts.account
  const options = page.providers.map((provider) => ({ provider, text: labelOf(ctx, provider) }))
  setFormRedirectPolicy(ctx)
  writePage(ctx, 200, 'account-add', {
    ...getBase(ctx, view),
    heading: add.heading,
    explanation: options.length === 0 ? add.none : add.explanation,
    options: sortForSite(options, branding),
    arrangement: branding.look?.theme.buttons ?? 'list',
    action: page.action,
    hidden: page.hidden,
    back: { address: view.home_address, text: back },
  })
}

function renderQuestion(
  ctx: PageResponse,
  view: AccountView,
  page: PageOf<'remove'> | PageOf<'end_others' | 'download'>,
): void {
  const { texts } = getPageLanguage(ctx)
  const { remove, end_others, download, back } = texts.account
  const question =
    page.kind === 'remove'
      ? { ...remove, heading: remove.heading({ provider: nameProvider(ctx, page.provider) }) }
      : { end_others, download }[page.kind]
  writePage(ctx, 200, 'account-question', {
    ...getBase(ctx, view),
    heading: question.heading,
    explanation: question.explanation,
    caution: page.kind === 'remove' && page.is_current ? remove.current : undefined,
    go: question.go,
    action: page.action,
    hidden: page.hidden,
    back: { address: view.home_address, text: back },
  })
}

/** What all pages have: the layout with the styles of the site's buttons, and the notice. */
function getBase(ctx: PageResponse, { site, notice }: AccountView) {
  const { texts } = getPageLanguage(ctx)
  const styles = `${buttonsStylesheetPath}?${new URLSearchParams({ ...site })}`
  return {
    ...getLayout(ctx, [styles]),
    notice:
      notice === undefined
        ? undefined
        : { text: texts.account.notices[notice], is_success: successNotices.has(notice) },
  }
}

function labelOf(ctx: PageResponse, provider: LoginProvider): string {
  const { language, direction, texts } = getPageLanguage(ctx)
  return getButtonLabel(provider, language, getPageContext(ctx).branding, ({ provider: name }) =>
    texts.choice.button({ provider: isolateIn(direction, name) }),
  )
}

function nameProvider(ctx: PageResponse, provider: Provider): string {
  const { language, direction } = getPageLanguage(ctx)
  return isolateIn(direction, getDisplayName(provider, language, getPageContext(ctx).branding))
}

function nameSite(ctx: PageResponse, { site }: AccountView): string {
  return isolate(getPageContext(ctx).branding.name ?? site.site_id)
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
