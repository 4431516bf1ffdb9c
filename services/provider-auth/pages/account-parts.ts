import type { LoginProvider, Provider } from '#contracts'
import type { PageResponse } from '#http'
import { successNotices } from './account-notices.ts'
import type { AccountView } from './account-view.ts'
import { buttonsStylesheetPath } from './buttons/login-buttons.ts'
import { getPageLanguage } from './context/language.ts'
import { getPageContext } from './context/page-context.ts'
import { getButtonLabel, getDisplayName } from './context/site-branding.ts'
import { getLayout, isolate, isolateIn } from './layout.ts'

/** What all pages have: the layout with the styles of the site's buttons, and the notice. */
export function getBase(ctx: PageResponse, { site, notice }: AccountView) {
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

/** The text of a login button. */
export function labelOf(ctx: PageResponse, provider: LoginProvider): string {
  const { language, direction, texts } = getPageLanguage(ctx)
  return getButtonLabel(provider, language, getPageContext(ctx).branding, ({ provider: name }) =>
    texts.choice.button({ provider: isolateIn(direction, name) }),
  )
}

/** The name of a provider, in a text of any direction. */
export function nameProvider(ctx: PageResponse, provider: Provider): string {
  const { language, direction } = getPageLanguage(ctx)
  return isolateIn(direction, getDisplayName(provider, language, getPageContext(ctx).branding))
}

/** The name of an application. @param name null: the client was removed */
export function nameApplication(ctx: PageResponse, name: string | null): string {
  return name === null ? getPageLanguage(ctx).texts.account.applications.removed_client : isolate(name)
}

/** The name of the site, or else its ID. */
export function nameSite(ctx: PageResponse, { site }: AccountView): string {
  return isolate(getPageContext(ctx).branding.name ?? site.site_id)
}
