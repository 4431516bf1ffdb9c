import type { Call } from '#bus'
import { type Input, type providerAuthContract, type Theme, themePictures } from '#contracts'
import type { Deps } from '../../deps.ts'
import { toDataUrl } from '../../domain/picture.ts'
import { findPicture } from '../../store/site-looks.ts'
import { listLoginChoices } from '../buttons/login-choices.ts'
import { readSiteBranding } from '../context/site-branding.ts'
import { renderSamplePage } from './sample-page.ts'

type PreviewInput = Input<(typeof providerAuthContract.procedures)['previewPage']>

/** Renders one of our pages for a site, with a look that is not published. */
export async function renderPreview(input: PreviewInput, deps: Deps, { request_id }: Call): Promise<string> {
  const { site, account, site_id, look } = input
  const [branding, choices, theme, terms] = await Promise.all([
    readSiteBranding({ site, account, site_id }, deps, request_id),
    listLoginChoices(site, deps),
    inlinePictures(look.theme, deps),
    deps.siteSettings.findTerms(site),
  ])
  const sampleSite = { branding, look: { ...look, theme }, choices, languages: deps.languages, terms }
  return renderSamplePage({ ...input, request_id }, sampleSite)
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
