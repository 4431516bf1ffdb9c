import { useState } from 'react'
import { useRead } from '../../admin/queries.ts'
import type { ProviderSettings, SiteReference, Webhook } from '../../admin/types.ts'
import { useNameProvider } from '../../parts/site-providers.ts'
import { toUtc } from '../../parts/to-utc.ts'
import { paths } from '../../shell/paths.ts'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'
import { useExplain } from '../logins/login-result.tsx'
import { isReady, type SiteData } from './site-data.ts'

export interface SiteProblem {
  readonly says: string
  /** The page that solves it, and the text of the link. */
  readonly to: string
  readonly link: string
  /** Logins or events fail now. */
  readonly serious: boolean
}

const refreshMs = 10_000
const dayMs = 86_400_000
/** A secret that expires within this time is a problem. */
const warningMs = 30 * dayMs
const maxCauses = 3

/** The problems of a site, the serious ones first. */
export function useProblems(site: SiteReference, { providers = [] }: SiteData): readonly SiteProblem[] {
  const describeWebhook = useDescribeWebhook(site)
  const describeSecret = useDescribeSecret(site)
  const webhooks = useRead('listWebhooks', site, { intervalMs: refreshMs }).data?.webhooks ?? []
  const problems = [
    ...providers.map(describeSecret),
    ...useTroubledProviders(site, providers),
    ...webhooks.map(describeWebhook),
    ...useFailingLogins(site),
  ].filter((problem) => problem !== undefined)
  return problems.sort((one, other) => Number(other.serious) - Number(one.serious))
}

function useDescribeSecret(site: SiteReference): (settings: ProviderSettings) => SiteProblem | undefined {
  const { overview: t } = useTexts('overview')
  const nameProvider = useNameProvider()
  const format = useFormat()
  return ({ provider, client_secret_expires_at: at }) => {
    if (at === null || Date.parse(at) - Date.now() > warningMs) return undefined
    const hasExpired = Date.parse(at) <= Date.now()
    const describe = hasExpired ? t.expired : t.expiring
    return {
      says: describe({ provider: nameProvider(provider), when: format.relative(at) }),
      to: paths.provider(site, provider),
      link: t.enter_secret,
      serious: hasExpired,
    }
  }
}

function useDescribeWebhook(site: SiteReference): (webhook: Webhook) => SiteProblem | undefined {
  const { overview: t } = useTexts('overview')
  const format = useFormat()
  return ({ endpoint_id, name, paused_because, failing_since: since }) => {
    const to = paths.webhook(site, endpoint_id)
    if (paused_because !== null) return { says: t.webhook_paused({ name }), to, link: t.open_webhook, serious: true }
    if (since === null) return undefined
    return { says: t.webhook_failing({ name, when: format.relative(since) }), to, link: t.open_webhook, serious: false }
  }
}

/** The most frequent causes of logins that did not succeed in the last day. */
function useFailingLogins(site: SiteReference): SiteProblem[] {
  const { overview: t } = useTexts('overview')
  const explain = useExplain()
  const [since] = useState(() => toUtc(Date.now() - dayMs))
  const { data } = useRead('groupSiteLogins', { ...site, since }, { intervalMs: refreshMs })
  const causes = (data?.groups ?? []).filter(({ result }) => result === 'failed' || result === 'rejected')
  return causes.slice(0, maxCauses).map(({ reason, count, newest_login_id }) => ({
    says: t.failing_logins({ count, cause: explain(reason).what }),
    to: paths.login(site, newest_login_id),
    link: t.show_login,
    serious: false,
  }))
}

/** Providers of the site that do not answer any replica now. */
function useTroubledProviders(site: SiteReference, providers: readonly ProviderSettings[]): SiteProblem[] {
  const { overview: t } = useTexts('overview')
  const nameProvider = useNameProvider()
  const health = useRead('readProviderHealth', {}, { intervalMs: refreshMs }).data?.providers ?? []
  return providers.filter(isReady).flatMap(({ provider }) => {
    const isOpen = health.some((one) => one.provider === provider && one.circuit === 'open')
    if (!isOpen) return []
    return [
      {
        says: t.provider_down({ provider: nameProvider(provider) }),
        to: paths.logins(site, { provider }),
        link: t.see_logins,
        serious: true,
      },
    ]
  })
}
