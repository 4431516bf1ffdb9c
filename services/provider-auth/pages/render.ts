import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LoginProvider, Provider } from '#contracts'
import { type Context, createPages } from '#http'
import { buttonsStylesheetPath } from './branding/login-buttons.ts'
import { getButtonLabel, getDisplayName, noBranding, type SiteBranding, sortForSite } from './branding/site-branding.ts'
import { setFormPostPolicy, setFormRedirectPolicy } from './content-security-policy.ts'
import { findPageForStatus, type PageName, pageStatuses } from './page-statuses.ts'
import { getPageLanguage } from './texts/language.ts'
import { type PageText, textsByLanguage } from './texts/texts.ts'

const writePage = createPages(import.meta.dirname)

export const stylesheet = {
  path: '/oauth2/pages.css',
  text: readFileSync(join(import.meta.dirname, 'pages.css'), 'utf8'),
} as const

/** Data of all pages: language, site name if known, and stylesheets. */
function getLayoutData(ctx: Context) {
  const { language } = getPageLanguage(ctx)
  return { language, site: ctx.state.siteTitle, stylesheets: [stylesheet.path] }
}

/** Responds with a fixed page and its status. It leads to the start page of the site if that is known. */
export function renderPage(ctx: Context, name: PageName, { name: site, start_url }: SiteBranding = noBranding): void {
  const { language, texts } = getPageLanguage(ctx)
  const text: PageText = texts.pages[name]
  // Messages of the specification are English in every language.
  const messageLanguage = text.message === textsByLanguage.en.pages[name].message ? 'en' : language
  const requestId = { label: texts.request_id, value: ctx.state.request_id }
  writePage(ctx, pageStatuses[name], 'page', {
    ...getLayoutData(ctx),
    ...text,
    message_language: messageLanguage,
    forward:
      site === undefined || start_url === null
        ? undefined
        : { address: start_url, text: texts.go_to_site({ site: `\u2068${site}\u2069` }) },
    request_id: requestId,
  })
}

/** The question whether to link an account. */
export interface LinkConfirmation {
  readonly provider: Provider
  /** The client's name, as the site registered it. */
  readonly application: string
  /** The user: a name, if known, and the customer's ID or ours. */
  readonly user: { readonly name: string | null; readonly id: string }
  /** Hidden fields of the form. */
  readonly hidden: Readonly<Record<string, string>>
  readonly callback: string
}

/** The providers that an end user can choose from. */
export interface ProviderChoice {
  /** The client's name, as the site registered it. */
  readonly application: string
  readonly client_id: string
  /** The authorization URL of each provider. */
  readonly options: readonly { readonly provider: LoginProvider; readonly address: string }[]
}

/** Lets the end user choose a provider. */
export function renderProviderChoice(
  ctx: Context,
  { application, client_id, options }: ProviderChoice,
  branding: SiteBranding,
): void {
  const { language, texts } = getPageLanguage(ctx)
  const { heading, explanation, button } = texts.choice
  // Isolated, so that right-to-left names do not reorder the sentence.
  const data = { ...getLayoutData(ctx), heading: heading({ application: `\u2068${application}\u2069` }), explanation }
  const buttons = sortForSite(options, branding).map(({ provider, address }) => ({
    address,
    provider,
    text: getButtonLabel(provider, language, branding, button),
  }))
  writePage(ctx, 200, 'choice', {
    ...data,
    stylesheets: [...data.stylesheets, `${buttonsStylesheetPath}?${new URLSearchParams({ client_id })}`],
    options: buttons,
  })
}

/** Renders the link confirmation, with a form to the page's own address. */
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
  setFormRedirectPolicy(ctx, confirmation.callback)
  writePage(ctx, 200, 'confirmation', { ...getLayoutData(ctx), ...confirmation, text, action: ctx.path })
}

/** The question whether to log out. */
export interface LogoutConfirmation {
  /** The client's name; undefined if the request names no client. */
  readonly application: string | undefined
  /** The providers that the end user logged in with. */
  readonly providers: readonly Provider[]
  /** Hidden fields of the form. */
  readonly hidden: Readonly<Record<string, string>>
  /** Where the browser goes after the confirmation, one after the other; empty: our page. */
  readonly locations: readonly string[]
}

/** Renders the logout confirmation, with a form to the page's own address. */
export function renderLogoutConfirmation(
  ctx: Context,
  { application, providers, hidden, locations }: LogoutConfirmation,
  branding: SiteBranding,
): void {
  const { language, texts } = getPageLanguage(ctx)
  const { question } = texts.logout
  if (locations.length > 0) setFormRedirectPolicy(ctx, ...locations)
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

/**
 * Renders the page after a logout.
 *
 * @param providers those where the end user may still be logged in, as far as they are known; undefined: nowhere
 */
export function renderLoggedOut(
  ctx: Context,
  providers: readonly Provider[] | undefined,
  branding: SiteBranding,
): void {
  const { language, texts } = getPageLanguage(ctx)
  const { heading, provider, any_provider } = texts.logout.ended
  const named = providers?.map((one) => provider({ provider: getDisplayName(one, language, branding) }))
  writePage(ctx, 200, 'logged-out', {
    ...getLayoutData(ctx),
    heading,
    provider_notes: named?.length === 0 ? [any_provider] : (named ?? []),
  })
}

/** Renders the status of a deletion request. */
export function renderDeletionStatus(
  ctx: Context,
  { provider, completed_at, confirmation_code }: { provider: Provider; completed_at: Date; confirmation_code: string },
  branding: SiteBranding,
): void {
  const { language, texts } = getPageLanguage(ctx)
  // The end user's time zone is not known.
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  const { done, ...rest } = texts.deletion
  writePage(ctx, 200, 'deletion', {
    ...getLayoutData(ctx),
    text: { ...rest, done: done({ provider: getDisplayName(provider, language, branding) }) },
    time: { exact: completed_at.toISOString(), shown: `${format.format(completed_at)} UTC` },
    confirmation_code,
  })
}

/** A response that the browser posts to the application. */
export interface FormPost {
  /** The redirect URI. */
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
}

const submitScript = "document.getElementById('form-post').submit()"
const submitScriptHash = hash('sha256', submitScript, 'base64')

/**
 * Renders a form that posts itself to the application (OAuth 2.0 Form Post Response Mode 2); without scripts, the end
 * user posts it by a button.
 */
export function renderFormPost(ctx: Context, { action, fields }: FormPost): void {
  const { texts } = getPageLanguage(ctx)
  setFormPostPolicy(ctx, action, submitScriptHash)
  writePage(ctx, 200, 'form-post', {
    ...getLayoutData(ctx),
    text: texts.form_post,
    action,
    fields,
    script: submitScript,
  })
}

/** Renders the page for an unhandled request or an error (`createApp`); it reveals only the status. */
export function renderErrorStatus(ctx: Context, status: number): void {
  renderPage(ctx, findPageForStatus(status))
  ctx.status = status
}
