import type { Knex } from 'knex'
import type { NoticeKind } from '#admin-api'
import type { Call } from '#bus'
import { describeProvider, isBuiltInLoginProvider, type ProviderSettings, type SiteDetails } from '#contracts'
import { toTimestamp } from '#runtime'
import type { ServiceClients } from '../../bus.ts'
import { addSeconds, daySeconds } from '../../domain/time.ts'
import type { Condition, NoticeDetails } from '../../store/notices.ts'
import { listTroubledProviders } from '../../store/provider-calls.ts'
import { listLastUses } from '../../store/usage-callers.ts'
import { findBusiestMinute } from '../../store/usage-responses.ts'

export interface SourceDeps extends Pick<ServiceClients, 'identity' | 'provider_auth' | 'events'> {
  readonly knex: Knex
  readonly now: () => Date
}

/** Finds the conditions of one kind that a site has now. */
type FindConditions = (site: SiteDetails, deps: SourceDeps, call: Call) => Promise<readonly Condition[]>

/** Days before the secret expires on which there is a notice; 0: when it has expired. Our choice. */
const secretWarningDays = [0, 1, 7, 30]
/** An endpoint that fails for less time may be restarting. Our choice. */
const webhookFailingSeconds = 900
/** A provider is failing if its circuit is not closed for so long. Our choice. */
const providerFailingSeconds = 300
/** Replicas report their circuits every two seconds. A replica without a report for this time has ended. */
const circuitLifetimeSeconds = 30
const unusedKeyDays = 90
/** A site is near its limit from this share on, in percent, in any minute of the last day. Our choice. */
const nearLimitPercent = 80

const findExpiringSecrets: FindConditions = async ({ site, ...settings }, { provider_auth, now }, call) => {
  const { providers } = await provider_auth.listProviderSettings({ site }, call)
  return providers.flatMap((provider) => {
    const { client_secret_expires_at: at, revision, enabled } = provider
    if (at === null || revision === 0 || !enabled) return []
    const daysLeft = (Date.parse(at) - now().getTime()) / (daySeconds * 1_000)
    const days = secretWarningDays.find((warning) => daysLeft <= warning)
    if (days === undefined) return []
    return [
      conditionOf(settings, `client_secret_expiring ${site} ${provider.provider} ${at} ${days}`, {
        provider: nameOf(provider),
        provider_token: provider.provider,
        expires_at: at,
        days,
      }),
    ]
  })
}

const findFailingWebhooks: FindConditions = async ({ site, ...settings }, { events, now }, call) => {
  const { endpoints } = await events.listEndpoints({ site }, call)
  const since = addSeconds(now(), -webhookFailingSeconds)
  return endpoints.flatMap(({ endpoint_id, name, enabled, paused_because, failing_since }) => {
    const isFailing = enabled && failing_since !== null && new Date(failing_since) <= since
    if (paused_because === null && !isFailing) return []
    const state = paused_because === null ? 'failing' : 'paused'
    const details = { endpoint_id, name, state, since_at: failing_since ?? toTimestamp(now()) }
    return [conditionOf(settings, `webhook_failing ${endpoint_id} ${state}`, details)]
  })
}

/** Built-in providers only: the circuits of all providers that sites configured are reported as one. */
const findFailingProviders: FindConditions = async ({ site, ...settings }, { provider_auth, knex }, call) => {
  const troubled = await listTroubledProviders(knex, {
    reportedWithinSeconds: circuitLifetimeSeconds,
    forSeconds: providerFailingSeconds,
  })
  if (troubled.length === 0) return []
  const { providers } = await provider_auth.listProviderSettings({ site }, call)
  return providers.flatMap((provider) => {
    const trouble = troubled.find((one) => one.provider === provider.provider)
    const isUsed = provider.enabled && provider.revision > 0 && provider.missing.length === 0
    if (trouble === undefined || !isUsed || !isBuiltInLoginProvider(provider.provider)) return []
    const details = { provider: nameOf(provider), since_at: toTimestamp(trouble.since) }
    return [conditionOf(settings, `provider_failing ${site} ${provider.provider}`, details)]
  })
}

const findUnusedKeys: FindConditions = async ({ site, ...settings }, { identity, knex, now }, call) => {
  const [{ keys }, lastUses] = await Promise.all([identity.listApiKeys({ site }, call), listLastUses(knex, site)])
  const unusedSince = addSeconds(now(), -unusedKeyDays * daySeconds)
  return keys.flatMap(({ api_key_id, name, created_at, revoked_at }) => {
    const lastUse = lastUses.find((use) => use.api_key_id === api_key_id)?.last_used_at
    if (revoked_at !== null || new Date(created_at) > unusedSince) return []
    if (lastUse !== undefined && lastUse > unusedSince) return []
    return [conditionOf(settings, `api_key_unused ${api_key_id}`, { name, days: unusedKeyDays })]
  })
}

const findNearLimits: FindConditions = async ({ site, requests_per_window: limit, ...settings }, { knex, now }) => {
  const calls = await findBusiestMinute(knex, { site, since: addSeconds(now(), -daySeconds) })
  const percent = Math.floor((calls / limit) * 100)
  if (limit === 0 || percent < nearLimitPercent) return []
  return [conditionOf(settings, `limit_near ${site}`, { percent, calls, limit })]
}

/** The kinds that are conditions of sites, with their source. The others happen once. */
export const conditionSources = {
  client_secret_expiring: findExpiringSecrets,
  webhook_failing: findFailingWebhooks,
  provider_failing: findFailingProviders,
  api_key_unused: findUnusedKeys,
  limit_near: findNearLimits,
} as const satisfies Partial<Record<NoticeKind, FindConditions>>

function conditionOf(
  { site_id, name }: Pick<SiteDetails, 'site_id' | 'name'>,
  key: string,
  details: NoticeDetails,
): Condition {
  return { site_id, key, details: { ...details, site_name: name } }
}

/** The name that a site gave its provider, or the provider's own, by language. */
function nameOf({ provider, definition }: ProviderSettings): Readonly<Record<string, string>> {
  const { en, ja = en } = definition?.display_name ?? describeProvider(provider).displayName
  return { en, ja }
}
