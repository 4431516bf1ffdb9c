import { createPages, type PageResponse } from '#http'
import { getBase, labelOf, nameApplication, nameProvider, nameSite } from './account-parts.ts'
import type { AccountView, PageOf } from './account-view.ts'
import { setFormRedirectPolicy } from './content-security-policy.ts'
import { getPageLanguage } from './context/language.ts'
import { getPageContext } from './context/page-context.ts'
import { sortForSite } from './context/site-branding.ts'
import { renderAccountOverview } from './render-account-overview.ts'

const writePage = createPages(import.meta.dirname)

/** Renders a page for end users about their account. */
export function renderAccountView(ctx: PageResponse, view: AccountView): void {
  const { page } = view
  if (page.kind === 'overview') renderAccountOverview(ctx, view, page)
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
  page: PageOf<'remove'> | PageOf<'application'> | PageOf<'delete'> | PageOf<'end_others' | 'download'>,
): void {
  const { texts } = getPageLanguage(ctx)
  const { remove, remove_access, end_others, download, delete: deletion, back } = texts.account
  const question = getQuestion()
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

  function getQuestion() {
    if (page.kind === 'remove')
      return { ...remove, heading: remove.heading({ provider: nameProvider(ctx, page.provider) }) }
    if (page.kind === 'application')
      return { ...remove_access, heading: remove_access.heading({ application: nameApplication(ctx, page.name) }) }
    if (page.kind !== 'delete') return { end_others, download }[page.kind]
    const { heading, explanation, explanation_now, go } = deletion
    return { heading, explanation: page.days === 0 ? explanation_now : explanation({ days: page.days }), go }
  }
}
