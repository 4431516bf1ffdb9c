import type { PageResponse } from '#http'
import { builtInLanguages, type PageLanguages } from '../../texts/page-languages.ts'
import { noBranding, type SiteBranding } from './site-branding.ts'

/** What the pages of a response have in common. */
export interface PageContext {
  readonly languages: PageLanguages
  /** Of the site that the page belongs to. */
  readonly branding: SiteBranding
}

const contexts = new WeakMap<object, PageContext>()
const initial: PageContext = { languages: builtInLanguages, branding: noBranding }

export function getPageContext({ state }: Pick<PageResponse, 'state'>): PageContext {
  return contexts.get(state) ?? initial
}

/** Sets parts of the context of the pages of a response. */
export function setPageContext(ctx: PageResponse, changes: Partial<PageContext>): void {
  contexts.set(ctx.state, { ...getPageContext(ctx), ...changes })
}
