import type { Call } from '#bus'
import { type Input, type providerAuthContract, type Theme, themePictures } from '#contracts'
import type { PageResponse } from '#http'
import type { Deps } from '../../deps.ts'
import { toDataUrl } from '../../domain/picture.ts'
import { findPicture } from '../../store/site-looks.ts'
import { listLoginChoices } from '../buttons/login-choices.ts'
import { setPageContext } from '../context/page-context.ts'
import { readSiteBranding } from '../context/site-branding.ts'
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
import { inlineStyles } from './inline-styles.ts'

type PreviewInput = Input<(typeof providerAuthContract.procedures)['previewPage']>

/** Renders one of our pages with a look that is not published and sample data, as a document without references to other files. */
export async function renderPreview(input: PreviewInput, deps: Deps, call: Call): Promise<string> {
  const { site, account, site_id, look, language, scheme } = input
  const [branding, choices, theme] = await Promise.all([
    readSiteBranding({ site, account, site_id }, deps, call.request_id),
    listLoginChoices(site, deps),
    inlinePictures(look.theme, deps),
  ])
  const page: PageResponse = {
    state: { request_id: call.request_id, ui_locales: language },
    headers: {},
    path: '/',
    set: () => {},
    status: 200,
    type: '',
    body: '',
  }
  const draft = { ...look, theme, look_id: '', version: 0 }
  setPageContext(page, { languages: deps.languages, branding: { ...branding, look: draft } })
  const providers = choices.map(({ provider }) => provider)
  renderSample(page, input, providers, branding.name ?? site_id)
  const styles = `<style>${inlineStyles(theme, choices, scheme)}</style>`
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
  { page: name, error = '' }: PreviewInput,
  siteProviders: readonly string[],
  application: string,
): void {
  const providers = siteProviders.length === 0 ? sampleProviders : siteProviders
  const [provider = 'messaging'] = providers
  const user = { name: '山田 花子', id: '6a1f3c21d2707c4f5e6b18a903fd27c5be4419d0' }
  const callback = 'https://example.com'
  const options = providers.map((one) => ({ provider: one, address: '#' }))
  const deletion = { provider, completed_at: new Date(), confirmation_code: 'M3bX7c-Wq2' }
  const samples: Readonly<Record<PreviewInput['page'], () => void>> = {
    choice: () => renderProviderChoice(page, { application, client_id: '', options }),
    confirmation: () => renderLinkConfirmation(page, { provider, application, user, hidden: {}, callback }),
    logout: () => renderLogoutConfirmation(page, { application, providers: [provider], hidden: {}, locations: [] }),
    logged_out: () => renderLoggedOut(page, [provider]),
    form_post: () => renderFormPost(page, { action: callback, fields: {} }),
    deletion: () => renderDeletionStatus(page, deletion),
    error: () => renderPage(page, isPageName(error) ? error : 'login_ended'),
  }
  samples[name]()
}

/** The theme with its stored pictures as data URLs. */
async function inlinePictures(theme: Theme, { reader }: Pick<Deps, 'reader'>): Promise<Theme> {
  const inlined = { ...theme }
  for (const name of themePictures) {
    const value = theme[name]
    if (value === null || value.startsWith('data:')) continue
    const picture = await findPicture(reader, value)
    inlined[name] = picture === undefined ? null : toDataUrl(picture)
  }
  return inlined
}
