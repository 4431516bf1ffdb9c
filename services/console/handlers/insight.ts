import type { z } from 'zod'
import {
  because,
  type ExplainedRejection,
  rejectionExplanations,
  requestExplanations,
  type usageProcedures,
} from '#admin-api'
import {
  type CircuitState,
  circuitStates,
  faultReasonNames,
  faultReasons,
  limits,
  loginProviders,
  loginSteps,
  type Provider,
} from '#contracts'
import { toTimestamp } from '#runtime'
import { explain } from '../domain/explanations.ts'
import { type Slots, slotsOf, sumBySlot } from '../domain/points.ts'
import { listCircuits, sumProviderCalls } from '../store/provider-calls.ts'
import { findRejection, listRejectionsOf, type StoredRejection } from '../store/rejections.ts'
import { findRequest } from '../store/requests.ts'
import { listCalls, sumAnswers } from '../store/usage-answers.ts'
import { type LoginsRow, listLogins } from '../store/usage-logins.ts'
import { AdminFault } from './admin-fault.ts'
import type { Run, Runs } from './procedure.ts'
import { siteOf } from './site-of.ts'

function toPoints(slots: Slots, rows: Parameters<typeof sumBySlot>[1]) {
  return sumBySlot(slots, rows).map(({ at, count }) => ({ at: toTimestamp(at), count }))
}

const readLoginInsight: Run<'readLoginInsight'> = async ({ span, ...name }, deps, { call }) => {
  const { site } = await siteOf(name, deps, call)
  const slots = slotsOf(span, deps.now())
  const rows = await listLogins(deps.knex, { site, ...slots })
  const byProvider = Map.groupBy(rows, ({ provider }) => provider)
  const ofEach = <T>(tell: (rows: readonly LoginsRow[]) => T): Partial<Record<Provider, T>> =>
    // Its keys are providers.
    Object.fromEntries([...byProvider].map(([provider, own]) => [provider, tell(own)])) as Partial<Record<Provider, T>>
  const stepsOf = (own: readonly LoginsRow[], wanted: LoginsRow['step']) => own.filter(({ step }) => step === wanted)
  return {
    logins: ofEach((own) => toPoints(slots, stepsOf(own, 'login'))),
    new_users: ofEach((own) => toPoints(slots, stepsOf(own, 'new_user'))),
    funnel: ofEach((own) => {
      const sums = loginSteps.map((step) => [step, sum(stepsOf(own, step))])
      const { login: _, new_user: __, ...funnel } = Object.fromEntries(sums) as Record<LoginsRow['step'], number>
      return funnel
    }),
  }
}

const readCallInsight: Run<'readCallInsight'> = async ({ span, ...name }, deps, { call }) => {
  const { site, requests_per_window } = await siteOf(name, deps, call)
  const slots = slotsOf(span, deps.now())
  const stretch = { site, ...slots }
  const [rows, codes, operations] = await Promise.all([
    listCalls(deps.knex, stretch),
    sumAnswers(deps.knex, stretch, 'code'),
    sumAnswers(deps.knex, stretch, 'operation'),
  ])
  return {
    requests_per_window,
    busiest_window: Math.max(0, ...rows.map(({ busiest_minute }) => busiest_minute)),
    calls: toPoints(
      slots,
      rows.map(({ at, calls }) => ({ at, count: calls })),
    ),
    limited: toPoints(
      slots,
      rows.map(({ at, limited }) => ({ at, count: limited })),
    ),
    codes,
    operations,
  }
}

const explainRequest: Run<'explainRequest'> = async ({ request_id, ...name }, deps, { call }) => {
  const { site } = await siteOf(name, deps, call)
  const request = await findRequest(deps.knex, { site, request_id })
  const rejection = request === undefined ? await findRejection(deps.knex, { site, request_id }) : undefined
  if (rejection !== undefined) return toExplained(rejection)
  if (request === undefined) {
    const days = limits.stored_requests_seconds / 86_400
    throw new AdminFault('not_found', {
      reason: because('request_unknown', { days: String(days) }),
      field: 'request_id',
    })
  }
  const { at, site: _, address, ...stored } = request
  const explainedAs = explain(request)
  const explanation = requestExplanations[explainedAs]
  // A newer gateway may send reasons that this release does not know.
  const reason = faultReasonNames.find((known) => known === stored.reason) ?? null
  return {
    ...stored,
    ...{ at: toTimestamp(at), address: address ?? 'unknown', explained_as: explainedAs, explanation },
    ...{ reason, reason_explanation: reason && faultReasons[reason] },
  }
}

const rejectionsListed = 100

const listRejections: Run<'listRejections'> = async ({ client_id, ...name }, deps, { call }) => {
  const { site } = await siteOf(name, deps, call)
  await deps.provider_auth.readClient({ site, client_id }, call)
  const rejections = await listRejectionsOf(deps.knex, { site, client_id }, rejectionsListed)
  return { rejections: rejections.map(toExplained) }
}

function toExplained({ site: _, at, ...rejection }: StoredRejection): z.input<typeof ExplainedRejection> {
  return { ...rejection, at: toTimestamp(at), explanation: rejectionExplanations[rejection.reason] }
}

const hourMs = 3_600_000
/** A replica tells its circuits every two seconds; one unheard for so long has ended. */
const heardWithinMs = 30_000

const readProviderHealth: Run<'readProviderHealth'> = async (_, { knex, now }) => {
  const at = now().getTime()
  const [sums, circuits] = await Promise.all([
    sumProviderCalls(knex, new Date(at - hourMs)),
    listCircuits(knex, new Date(at - heardWithinMs)),
  ])
  return {
    providers: loginProviders.map((provider) => {
      const { calls, failed } = sums.find((own) => own.provider === provider) ?? { calls: 0, failed: 0 }
      const states = circuits.filter((own) => own.provider === provider).map(({ state }) => state)
      return { provider, calls, failed, circuit: worst(states) }
    }),
  }
}

function worst(states: readonly CircuitState[]): CircuitState {
  return circuitStates[Math.max(0, ...states.map((state) => circuitStates.indexOf(state)))] ?? 'closed'
}

function sum(rows: readonly { readonly count: number }[]): number {
  return rows.reduce((total, { count }) => total + count, 0)
}

export const insight = {
  readLoginInsight,
  readCallInsight,
  explainRequest,
  listRejections,
  readProviderHealth,
} satisfies Runs<keyof typeof usageProcedures>
