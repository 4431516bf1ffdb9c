import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LoginProvider, Provider } from '#contracts'
import { type Context, createPages, pageHeaders } from '#http'
import { buttonsStylesheetPath } from '../branding/login-buttons.ts'
import { getButtonLabel, getDisplayName, type SiteBranding, sortForSite } from '../branding/site-branding.ts'
import { getPageLanguage } from './language.ts'
import { findPageForStatus, type PageName, pageStatuses } from './page-statuses.ts'
import { type PageText, textsByLanguage } from './texts.ts'

const writePage = createPages(import.meta.dirname)

export const stylesheet = {
  path: '/oauth2/pages.css',
  text: readFileSync(join(import.meta.dirname, 'pages.css'), 'utf8'),
} as const

/** What all pages have: the language, the site's display name where it is known, and the stylesheet. */
function getLayoutData(ctx: Context) {
  const { language } = getPageLanguage(ctx)
  return { language, site: ctx.state.siteTitle, stylesheets: [stylesheet.path] }
}

/** Answers with one of the fixed pages and its status. */
export function renderPage(ctx: Context, name: PageName): void {
  const { language, texts } = getPageLanguage(ctx)
  const text: PageText = texts.pages[name]
  // The specification's own wording stands in every language.
  const messageLanguage = text.message === textsByLanguage.en.pages[name].message ? 'en' : language
  const requestId = { label: texts.request_id, value: ctx.state.request_id }
  writePage(ctx, pageStatuses[name], 'page', {
    ...getLayoutData(ctx),
    ...text,
    message_language: messageLanguage,
    request_id: requestId,
  })
}

/** What a person is asked before an account is linked. */
export interface LinkConfirmation {
  readonly provider: Provider
  /** The client's name, as the site registered it. */
  readonly application: string
  /** The user: a name, if one is known, and the customer's own id or ours. */
  readonly user: { readonly name: string | null; readonly id: string }
  /** What the form sends besides the decision. */
  readonly hidden: Readonly<Record<string, string>>
  readonly callback: string
}

/** How a person can log in to an application. */
export interface ProviderChoice {
  /** The client's name, as the site registered it. */
  readonly application: string
  /** The address that leads to each provider. */
  readonly options: readonly { readonly provider: LoginProvider; readonly address: string }[]
}

/** Asks which provider to log in with. */
export function renderProviderChoice(
  ctx: Context,
  { application, options }: ProviderChoice,
  branding: SiteBranding,
): void {
  const { language, texts } = getPageLanguage(ctx)
  const { heading, explanation, way } = texts.choice
  // Set apart, so that a name written from right to left leaves the sentence as it is.
  const data = { ...getLayoutData(ctx), heading: heading({ application: `\u2068${application}\u2069` }), explanation }
  const buttons = sortForSite(options, branding).map(({ provider, address }) => ({
    address,
    provider,
    text: getButtonLabel(provider, language, branding, way),
  }))
  writePage(ctx, 200, 'choice', {
    ...data,
    stylesheets: [...data.stylesheets, buttonsStylesheetPath],
    options: buttons,
  })
}

/** Asks whether to link, with a form to the page's own address. */
export function renderLinkConfirmation(ctx: Context, confirmation: LinkConfirmation, branding: SiteBranding): void {
  const { language, texts } = getPageLanguage(ctx)
  const { heading, linked_account, go, ...rest } = texts.confirmation
  const provider = getDisplayName(confirmation.provider, language, branding)
  const text = {
    ...rest,
    heading: heading({ provider }),
    linked_account: linked_account({ provider }),
    go: go({ provider }),
  }
  allowRedirectsAfterForm(ctx, confirmation.callback)
  writePage(ctx, 200, 'confirmation', { ...getLayoutData(ctx), ...confirmation, text, action: ctx.path })
}

/** What a person is asked before being logged out. */
export interface LogoutConfirmation {
  /** The client's name; undefined where the request names no client. */
  readonly application: string | undefined
  /** Those that the person logged in with. */
  readonly providers: readonly Provider[]
  /** What the form sends. */
  readonly hidden: Readonly<Record<string, string>>
  readonly redirect_uri: string | undefined
}

/** Asks whether to log out, with a form to the page's own address. */
export function renderLogoutConfirmation(
  ctx: Context,
  { application, providers, hidden, redirect_uri }: LogoutConfirmation,
  branding: SiteBranding,
): void {
  const { language, texts } = getPageLanguage(ctx)
  const { question } = texts.logout
  if (redirect_uri !== undefined) allowRedirectsAfterForm(ctx, redirect_uri)
  const heading =
    application === undefined
      ? question.heading
      : question.heading_of_application({ application: `\u2068${application}\u2069` })
  const providerNotes = providers.map((provider) =>
    question.provider({ provider: getDisplayName(provider, language, branding) }),
  )
  writePage(ctx, 200, 'logout', {
    ...getLayoutData(ctx),
    ...question,
    heading,
    provider_notes: providerNotes,
    hidden,
    action: ctx.path,
  })
}

/** Says that the person is logged out, and at which providers perhaps not. */
export function renderLoggedOut(ctx: Context, providers: readonly Provider[], branding: SiteBranding): void {
  const { language, texts } = getPageLanguage(ctx)
  const { heading, provider, any_provider } = texts.logout.ended
  const named = providers.map((one) => provider({ provider: getDisplayName(one, language, branding) }))
  writePage(ctx, 200, 'logged-out', {
    ...getLayoutData(ctx),
    heading,
    provider_notes: named.length > 0 ? named : [any_provider],
  })
}

/** Tells what became of a request for deletion. */
export function renderDeletionStatus(
  ctx: Context,
  { provider, completed_at, confirmation_code }: { provider: Provider; completed_at: Date; confirmation_code: string },
  branding: SiteBranding,
): void {
  const { language, texts } = getPageLanguage(ctx)
  // The person's own time zone is not known.
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  const { done, ...rest } = texts.deletion
  writePage(ctx, 200, 'deletion', {
    ...getLayoutData(ctx),
    text: { ...rest, done: done({ provider: getDisplayName(provider, language, branding) }) },
    time: { exact: completed_at.toISOString(), buttons: `${format.format(completed_at)} UTC` },
    confirmation_code,
  })
}

/**
 * Lets the form's answer lead to the provider, and from there to the callback. Chromium holds every hop after a form was
 * sent against the page's `form-action`, and where a provider goes on to is not ours to know.
 */
function allowRedirectsAfterForm(ctx: Context, callback: string): void {
  const schemes = new Set(['http:', 'https:', new URL(callback).protocol])
  const policy = pageHeaders['Content-Security-Policy']
  ctx.set(
    'Content-Security-Policy',
    policy.replace("form-action 'self'", `form-action 'self' ${[...schemes].join(' ')}`),
  )
}

/** Answers a request nobody answered or that failed (`createApp`): a page that says no more than the status. */
export function renderErrorStatus(ctx: Context, status: number): void {
  renderPage(ctx, findPageForStatus(status))
  ctx.status = status
}
