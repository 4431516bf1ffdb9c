import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Context, createPages, pageHeaders } from '#http'
import { readingOf } from './language.ts'
import { en } from './texts/en.ts'
import { type PageName, pageForStatus, statuses } from './texts.ts'

const write = createPages(import.meta.dirname)

export const stylesheet = {
  path: '/oauth2/pages.css',
  text: readFileSync(join(import.meta.dirname, 'pages.css'), 'utf8'),
} as const

/** Answers with one of the fixed pages and its status. */
export function renderPage(ctx: Context, name: PageName): void {
  const { language, texts } = readingOf(ctx)
  const text = texts.pages[name]
  // The specification's own wording stands in every language.
  const message_language = text.message === en.pages[name].message ? 'en' : language
  const request_id = { label: texts.request_id, value: ctx.state.request_id }
  write(ctx, statuses[name], 'page', { ...text, message_language, language, stylesheet: stylesheet.path, request_id })
}

/** What a person is asked before an account is linked. */
export interface Confirmation {
  /** The provider's wire name. */
  readonly provider: string
  /** The client's name, as the site registered it. */
  readonly application: string
  readonly site: string
  /** The user: a name, if one is known, and the customer's own id or ours. */
  readonly user: { readonly name: string | null; readonly id: string }
  /** What the form sends besides the decision. */
  readonly hidden: Readonly<Record<string, string>>
  readonly callback: string
}

/** How a person can log in to an application. */
export interface Choice {
  /** The client's name, as the site registered it. */
  readonly application: string
  /** For each provider its wire name, and the address that leads to it. */
  readonly ways: readonly { readonly provider: string; readonly address: string }[]
}

/** Asks which provider to log in with. */
export function renderChoice(ctx: Context, { application, ways }: Choice): void {
  const { language, texts } = readingOf(ctx)
  const { heading, explanation, way } = texts.choice
  // Set apart, so that a name written from right to left leaves the sentence as it is.
  const data = { heading: heading(`\u2068${application}\u2069`), explanation, language, stylesheet: stylesheet.path }
  const named = ways.map(({ provider, address }) => ({ address, text: way(provider) }))
  write(ctx, 200, 'choice', { ...data, ways: named })
}

/** Asks whether to link, with a form to the page's own address. */
export function renderConfirmation(ctx: Context, confirmation: Confirmation): void {
  const { language, texts } = readingOf(ctx)
  allowRedirectsAfterForm(ctx, confirmation.callback)
  write(ctx, 200, 'confirmation', {
    ...confirmation,
    text: texts.confirmation(confirmation.provider),
    language,
    action: ctx.path,
    stylesheet: stylesheet.path,
  })
}

/** Tells what became of a request for deletion. */
export function renderDeletion(
  ctx: Context,
  { provider, completed_at, confirmation_code }: { provider: string; completed_at: Date; confirmation_code: string },
): void {
  const { language, texts } = readingOf(ctx)
  // The person's own time zone is not known.
  const inWords = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  write(ctx, 200, 'deletion', {
    text: texts.deletion(provider),
    time: { exact: completed_at.toISOString(), shown: `${inWords.format(completed_at)} UTC` },
    confirmation_code,
    language,
    stylesheet: stylesheet.path,
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
export function renderFailure(ctx: Context, status: number): void {
  renderPage(ctx, pageForStatus(status))
  ctx.status = status
}
