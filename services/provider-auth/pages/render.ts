import { hash } from 'node:crypto'
import type { LoginProvider, Provider } from '#contracts'
import { createPages, type PageResponse } from '#http'
import { type ErrorPageText, originalCatalogue } from '../texts/texts.ts'
import { buttonsStylesheetPath } from './buttons/login-buttons.ts'
import { setFormPostPolicy, setFormRedirectPolicy } from './content-security-policy.ts'
import { getPageLanguage } from './context/language.ts'
import { getPageContext } from './context/page-context.ts'
import { getButtonLabel, getDisplayName, sortForSite } from './context/site-branding.ts'
import { getLayout, isolate, isolateIn } from './layout.ts'
import { findPageForStatus, type PageName, pageStatuses } from './page-statuses.ts'

const writePage = createPages(import.meta.dirname)

/**
 * Responds with a fixed page and its status. It leads to the application, or to the start page of the site if that is known.
 *
 * @param application the response to the application
 */
export function renderPage(ctx: PageResponse, name: PageName, application?: string): void {
  const { language, texts } = getPageLanguage(ctx)
  const text: ErrorPageText = texts.pages[name]
  writePage(ctx, pageStatuses[name], 'page', {
    ...getLayout(ctx),
    ...text,
    // Messages of the specification are English in every language.
    message_language: text.message === originalCatalogue.pages[name].message ? 'en' : language,
    forward:
      application === undefined ? getForwardLink(ctx) : { address: application, text: texts.return_to_application },
    details: texts.details,
    request_id: { label: texts.request_id, value: ctx.state.request_id },
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
  /** The provider that the browser logged in with last, if it is known. */
  readonly last_provider?: string | undefined
  /** The authorization URL of each provider. */
  readonly options: readonly { readonly provider: LoginProvider; readonly address: string }[]
}

/** Lets the end user choose a provider. */
export function renderProviderChoice(
  ctx: PageResponse,
  { application, client_id, options, last_provider }: ProviderChoice,
): void {
  const { language, direction, texts } = getPageLanguage(ctx)
  const { branding } = getPageContext(ctx)
  const { heading, explanation, more } = texts.choice
  const button = ({ provider }: { provider: string }) =>
    texts.choice.button({ provider: isolateIn(direction, provider) })
  const { buttons: arrangement = 'list', more_after, last_used_first = false } = branding.look?.theme ?? {}
  const isLast = ({ provider }: ProviderChoice['options'][number]) => last_used_first && provider === last_provider
  const sorted = sortForSite(options, branding).toSorted((one, other) => Number(isLast(other)) - Number(isLast(one)))
  const buttons = sorted.map(({ provider, address }) => ({
    address,
    provider,
    text: getButtonLabel(provider, language, branding, button),
  }))
  const shown = more_after ?? buttons.length
  writePage(ctx, 200, 'choice', {
    ...getLayout(ctx, [`${buttonsStylesheetPath}?${new URLSearchParams({ client_id })}`]),
    heading: heading({ application: isolate(application) }),
    explanation,
    more,
    arrangement,
    options: buttons.slice(0, shown),
    further_options: buttons.slice(shown),
  })
}

/** Renders the link confirmation, with a form to the page's own address. */
export function renderLinkConfirmation(ctx: PageResponse, confirmation: LinkConfirmation): void {
  const { texts } = getPageLanguage(ctx)
  const { heading, linked_account, go, ...rest } = texts.confirmation
  const provider = nameProvider(ctx, confirmation.provider)
  const text = {
    ...rest,
    heading: heading({ provider }),
    linked_account: linked_account({ provider }),
    go: go({ provider }),
  }
  setFormRedirectPolicy(ctx, confirmation.callback)
  writePage(ctx, 200, 'confirmation', { ...getLayout(ctx), ...confirmation, text, action: ctx.path })
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
  ctx: PageResponse,
  { application, providers, hidden, locations }: LogoutConfirmation,
): void {
  const { texts } = getPageLanguage(ctx)
  const { question } = texts.logout
  if (locations.length > 0) setFormRedirectPolicy(ctx, ...locations)
  const heading =
    application === undefined
      ? question.heading
      : question.heading_of_application({ application: isolate(application) })
  const providerNotes = providers.map((provider) => question.provider({ provider: nameProvider(ctx, provider) }))
  writePage(ctx, 200, 'logout', {
    ...getLayout(ctx),
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
export function renderLoggedOut(ctx: PageResponse, providers: readonly Provider[] | undefined): void {
  const { texts } = getPageLanguage(ctx)
  const { heading, provider, any_provider } = texts.logout.ended
  const named = providers?.map((one) => provider({ provider: nameProvider(ctx, one) }))
  writePage(ctx, 200, 'logged-out', {
    ...getLayout(ctx),
    heading,
    provider_notes: named?.length === 0 ? [any_provider] : (named ?? []),
    forward: getForwardLink(ctx),
  })
}

/** Renders the status of a deletion request. */
export function renderDeletionStatus(
  ctx: PageResponse,
  { provider, completed_at, confirmation_code }: { provider: Provider; completed_at: Date; confirmation_code: string },
): void {
  const { language, texts } = getPageLanguage(ctx)
  // The end user's time zone is not known.
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  const { done, ...rest } = texts.deletion
  writePage(ctx, 200, 'deletion', {
    ...getLayout(ctx),
    text: { ...rest, done: done({ provider: nameProvider(ctx, provider) }) },
    time: { exact: completed_at.toISOString(), shown: `${format.format(completed_at)} UTC` },
    confirmation_code,
    forward: getForwardLink(ctx),
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
export function renderFormPost(ctx: PageResponse, { action, fields }: FormPost): void {
  const { texts } = getPageLanguage(ctx)
  setFormPostPolicy(ctx, action, submitScriptHash)
  writePage(ctx, 200, 'form-post', {
    ...getLayout(ctx),
    text: texts.form_post,
    action,
    fields,
    script: submitScript,
  })
}

/** The link to the page of the site where a login begins; undefined if the site or the page is unknown. */
function getForwardLink(ctx: PageResponse) {
  const { name: site, start_url: address } = getPageContext(ctx).branding
  const { texts } = getPageLanguage(ctx)
  if (site === undefined || address === null) return undefined
  return { address, text: texts.go_to_site({ site: isolate(site) }) }
}

/** The name of a provider for a sentence. */
function nameProvider(ctx: PageResponse, provider: Provider): string {
  const { language, direction } = getPageLanguage(ctx)
  return isolateIn(direction, getDisplayName(provider, language, getPageContext(ctx).branding))
}

/** Renders the page for an unhandled request or an error (`createApp`); it reveals only the status. */
export function renderErrorStatus(ctx: PageResponse, status: number): void {
  renderPage(ctx, findPageForStatus(status))
  ctx.status = status
}
