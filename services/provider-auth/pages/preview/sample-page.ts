import type { Look, PreviewPage, TermsDocument } from '#contracts'
import type { PageResponse } from '#http'
import type { PageLanguages } from '../../texts/page-languages.ts'
import type { AccountView } from '../account-view.ts'
import type { LoginChoice } from '../buttons/login-choices.ts'
import { setPageContext } from '../context/page-context.ts'
import type { SiteBranding } from '../context/site-branding.ts'
import { isPageName } from '../page-statuses.ts'
import {
  renderDeletionStatus,
  renderFormPost,
  renderLinkConfirmation,
  renderLoggedOut,
  renderLogoutConfirmation,
  renderPage,
  renderProviderChoice,
} from '../render.ts'
import { renderAccountView } from '../render-account.ts'
import { renderTerms, type TermsView } from '../render-terms.ts'
import { inlineStyles } from './inline-styles.ts'

/** Which page is rendered, and how. */
export interface SampleRequest {
  readonly page: PreviewPage
  /** The text of `error`. */
  readonly error?: string | undefined
  readonly language: string
  readonly scheme: 'light' | 'dark'
  readonly request_id: string
}

/** The site whose page is rendered. */
export interface SampleSite {
  readonly branding: Omit<SiteBranding, 'look'>
  /** The pictures of its theme are data URLs. */
  readonly look: Look
  readonly choices: readonly LoginChoice[]
  readonly languages: PageLanguages
  /** The documents that end users answer to. */
  readonly terms: readonly TermsDocument[]
}

/** Renders one of our pages with sample data, as a document without references to other files. */
export function renderSamplePage(
  request: SampleRequest,
  { branding, look, choices, languages, terms }: SampleSite,
): string {
  const { language, scheme, request_id } = request
  const page: PageResponse = {
    state: { request_id, ui_locales: language },
    headers: {},
    path: '/',
    set: () => {},
    status: 200,
    type: '',
    body: '',
  }
  setPageContext(page, { languages, branding: { ...branding, look: { ...look, look_id: '', version: 0 } } })
  const providers = choices.map(({ provider }) => provider)
  renderSample(page, request, { providers, terms, application: branding.name ?? 'Example' })
  const styles = `<style>${inlineStyles(look.theme, choices, scheme)}</style>`
  return String(page.body)
    .replace(/<link rel="stylesheet"[^>]*>/, () => styles)
    .replace(/<link rel="stylesheet"[^>]*>/g, '')
    .replace(/<source media="[^"]*" srcset="([^"]*)">/g, (_, source: string) =>
      scheme === 'dark' ? `<source srcset="${source}">` : '',
    )
}

/** Without choices of its own, a site shows what others often have. */
const sampleProviders = ['messaging', 'search', 'portal']

function renderSample(
  page: PageResponse,
  { page: name, error = '' }: SampleRequest,
  {
    providers: siteProviders,
    terms,
    application,
  }: Pick<SampleSite, 'terms'> & {
    readonly providers: readonly string[]
    readonly application: string
  },
): void {
  const providers = siteProviders.length === 0 ? sampleProviders : siteProviders
  const [provider = 'messaging'] = providers
  const user = { name: '山田 花子', id: '6a1f3c21d2707c4f5e6b18a903fd27c5be4419d0' }
  const callback = 'https://example.com'
  const options = providers.map((one) => ({ provider: one, address: '#' }))
  const deletion = { provider, completed_at: new Date(), confirmation_code: 'M3bX7c-Wq2' }
  const samples: Readonly<Record<PreviewPage, () => void>> = {
    choice: () => renderProviderChoice(page, { application, client_id: '', options }),
    confirmation: () => renderLinkConfirmation(page, { provider, application, user, hidden: {}, callback }),
    logout: () => renderLogoutConfirmation(page, { application, providers: [provider], hidden: {}, locations: [] }),
    logged_out: () => renderLoggedOut(page, [provider]),
    form_post: () => renderFormPost(page, { action: callback, fields: {} }),
    deletion: () => renderDeletionStatus(page, deletion),
    terms: () => renderTerms(page, toSampleTerms(terms)),
    account: () => renderAccountView(page, toSampleAccount(provider)),
    error: () => renderPage(page, isPageName(error) ? error : 'login_ended'),
  }
  samples[name]()
}

/** Without documents of its own, a site shows what others often have. */
const sampleDocuments: readonly TermsDocument[] = [
  {
    name: 'terms',
    kind: 'required',
    version: 1,
    minimum_version: 1,
    texts: {
      en: { title: 'Terms of use', url: 'https://example.com/terms' },
      ja: { title: '利用規約', url: 'https://example.com/terms' },
    },
  },
  {
    name: 'newsletter',
    kind: 'optional',
    version: 1,
    minimum_version: 1,
    texts: {
      en: { title: 'Send me news by e-mail', url: null },
      ja: { title: 'お知らせをメールで受け取る', url: null },
    },
  },
]

function toSampleTerms(terms: readonly TermsDocument[]): TermsView {
  const documents = terms.length === 0 ? sampleDocuments : terms
  return {
    documents: documents.map((document) => ({ document, is_accepted: false })),
    is_missing: false,
    hidden: {},
    callback: 'https://example.com',
    site: { account: '', site_id: '' },
  }
}

function toSampleAccount(provider: string): AccountView {
  const now = Date.now()
  const session = { name: '', browser: 'chrome', provider, started_at_ms: now, last_used_at_ms: now } as const
  return {
    page: {
      kind: 'overview',
      accounts: [{ provider, added_at: new Date(now).toISOString(), is_current: true, remove_address: '#' }],
      add_address: '#',
      sessions: [
        { ...session, is_current: true },
        { ...session, browser: 'line', is_current: false },
      ],
      end_address: '#',
      end_others_address: '#',
      applications: [
        {
          client_id: 'shop',
          name: 'Shop',
          received: ['openid', 'profile', 'email'],
          first_at: new Date(now).toISOString(),
          last_at: new Date(now).toISOString(),
          access_removed_at: null,
          remove_address: '#',
        },
      ],
      activity: [{ type: 'user.logged_in', time: new Date(now).toISOString(), data: { provider, login_count: 1 } }],
      download_address: '#',
      delete_at: undefined,
      delete_address: '#',
      keep_address: '#',
      log_out_address: '#',
      hidden: {},
    },
    notice: undefined,
    site: { account: '', site_id: '' },
    home_address: '#',
  }
}
