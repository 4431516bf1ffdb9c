import { createReason, requestExplanations, type usageProcedures } from '#admin-api'
import {
  builtInLoginProviders,
  type CircuitState,
  circuitStates,
  configuredName,
  faultReasonNames,
  faultReasons,
  loginSteps,
  type Provider,
} from '#contracts'
import { toTimestamp } from '#runtime'
import { AdminFault } from '../admin-fault.ts'
import { findRequestExplanation } from '../domain/request-explanation.ts'
import { createTimeSlots, sumBySlot, type TimeSlots } from '../domain/time-slots.ts'
import { listCircuits, sumProviderCalls } from '../store/provider-calls.ts'
import { findRejection, listRejectionsOf } from '../store/rejections.ts'
import { findRequest } from '../store/requests.ts'
import { type LoginsRow, listLoginCounts } from '../store/usage-logins.ts'
import { listCallCounts, sumResponses } from '../store/usage-responses.ts'
import type { AdminHandler, AdminHandlers } from './admin-handler.ts'
import { explainRejection } from './explain-rejection.ts'
import { resolveSite } from './resolve-site.ts'

function countBySlot(slots: TimeSlots, rows: Parameters<typeof sumBySlot>[1]) {
  return sumBySlot(slots, rows).map(({ at, count }) => ({ at: toTimestamp(at), count }))
}

const readLoginUsage: AdminHandler<'readLoginUsage'> = async ({ span, previous, ...name }, deps, { call }) => {
  const { site } = await resolveSite(name, deps, call)
  const slots = createTimeSlots(span, deps.now(), previous)
  const rows = await listLoginCounts(deps.knex, { site, ...slots })
  const byProvider = Map.groupBy(rows, ({ provider }) => provider)
  const mapProviders = <T>(summarize: (rows: readonly LoginsRow[]) => T): Partial<Record<Provider, T>> =>
    // The keys are providers.
    Object.fromEntries([...byProvider].map(([provider, own]) => [provider, summarize(own)])) as Partial<
      Record<Provider, T>
    >
  const filterStep = (own: readonly LoginsRow[], wanted: LoginsRow['step']) => own.filter(({ step }) => step === wanted)
  return {
    logins: mapProviders((own) => countBySlot(slots, filterStep(own, 'login'))),
    new_users: mapProviders((own) => countBySlot(slots, filterStep(own, 'new_user'))),
    funnel: mapProviders((own) => {
      const sums = loginSteps.map((step) => [step, sum(filterStep(own, step))])
      const { login: _, new_user: __, ...funnel } = Object.fromEntries(sums) as Record<LoginsRow['step'], number>
      return funnel
    }),
  }
}

const readApiUsage: AdminHandler<'readApiUsage'> = async ({ span, previous, ...name }, deps, { call }) => {
  const { site, requests_per_window } = await resolveSite(name, deps, call)
  const slots = createTimeSlots(span, deps.now(), previous)
  const range = { site, ...slots }
  const [rows, codes, operations] = await Promise.all([
    listCallCounts(deps.knex, range),
    sumResponses(deps.knex, range, 'code'),
    sumResponses(deps.knex, range, 'operation'),
  ])
  return {
    requests_per_window,
    busiest_window: Math.max(0, ...rows.map(({ busiest_minute }) => busiest_minute)),
    calls: countBySlot(
      slots,
      rows.map(({ at, calls }) => ({ at, count: calls })),
    ),
    limited: countBySlot(
      slots,
      rows.map(({ at, limited }) => ({ at, count: limited })),
    ),
    codes,
    operations,
  }
}

const explainRequest: AdminHandler<'explainRequest'> = async ({ request_id, ...name }, deps, { call }) => {
  const { site } = await resolveSite(name, deps, call)
  const request = await findRequest(deps.knex, { site, request_id })
  const rejection = request === undefined ? await findRejection(deps.knex, { site, request_id }) : undefined
  if (rejection !== undefined) return explainRejection(rejection)
  if (request === undefined) {
    throw new AdminFault('not_found', {
      reason: createReason('request_not_found', { days: String(deps.loginLogDays) }),
      field: 'request_id',
    })
  }
  const { at, site: _, address, ...stored } = request
  const result = findRequestExplanation(request)
  const explanation = requestExplanations[result]
  // A newer gateway can send reasons that this release does not know.
  const reason = faultReasonNames.find((known) => known === stored.reason) ?? null
  return {
    ...stored,
    at: toTimestamp(at),
    address: address ?? 'unknown',
    result,
    explanation,
    reason,
    reason_explanation: reason && faultReasons[reason],
  }
}

const maxListedRejections = 100

const listRejections: AdminHandler<'listRejections'> = async ({ client_id, ...name }, deps, { call }) => {
  const { site } = await resolveSite(name, deps, call)
  await deps.provider_auth.readClient({ site, client_id }, call)
  const rejections = await listRejectionsOf(deps.knex, { site, client_id }, maxListedRejections)
  return { rejections: rejections.map(explainRejection) }
}

const hourMs = 3_600_000
/** Replicas report their circuits every two seconds. A replica without a report for this time has ended. */
const circuitLifetimeMs = 30_000

const readProviderHealth: AdminHandler<'readProviderHealth'> = async (_, { knex, now }) => {
  const at = now().getTime()
  const [sums, circuits] = await Promise.all([
    sumProviderCalls(knex, new Date(at - hourMs)),
    listCircuits(knex, new Date(at - circuitLifetimeMs)),
  ])
  return {
    providers: [...builtInLoginProviders, configuredName].map((provider) => {
      const { calls, failed } = sums.find((own) => own.provider === provider) ?? { calls: 0, failed: 0 }
      const states = circuits.filter((own) => own.provider === provider).map(({ state }) => state)
      return { provider, calls, failed, circuit: findWorstState(states) }
    }),
  }
}

function findWorstState(states: readonly CircuitState[]): CircuitState {
  return circuitStates[Math.max(0, ...states.map((state) => circuitStates.indexOf(state)))] ?? 'closed'
}

function sum(rows: readonly { readonly count: number }[]): number {
  return rows.reduce((total, { count }) => total + count, 0)
}

export const usageHandlers = {
  readLoginUsage,
  readApiUsage,
  explainRequest,
  listRejections,
  readProviderHealth,
} satisfies AdminHandlers<keyof typeof usageProcedures>
