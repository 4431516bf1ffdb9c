import type { z } from 'zod'
import { type adminWebhookProcedures, createReason } from '#admin-api'
import type { ReplaySelection } from '#contracts'
import { AdminFault } from '../admin-fault.ts'
import type { AdminHandlers } from './admin-handler.ts'
import { resolveSite } from './resolve-site.ts'

export const webhookHandlers = {
  async listWebhooks(name, deps, { call }) {
    const { site } = await resolveSite(name, deps, call)
    return { webhooks: (await deps.events.listEndpoints({ site }, call)).endpoints }
  },

  async createWebhook({ account, site_id, ...settings }, deps, { audit, call }) {
    const { site } = await resolveSite({ account, site_id }, deps, call)
    const { endpoint, secret } = await deps.events.createEndpoint({ ...settings, site, account, site_id }, call)
    audit(null, endpoint)
    return { webhook: endpoint, secret }
  },

  async readWebhook({ endpoint_id, ...name }, deps, { call }) {
    const { site } = await resolveSite(name, deps, call)
    return deps.events.readEndpoint({ site, endpoint_id }, call)
  },

  async changeWebhook({ account, site_id, endpoint_id, ...changes }, deps, { audit, call, expected_revision }) {
    const { site } = await resolveSite({ account, site_id }, deps, call)
    const before = await deps.events.readEndpoint({ site, endpoint_id }, call)
    const changed = await deps.events.changeEndpoint({ ...changes, site, endpoint_id, expected_revision }, call)
    audit(before, changed)
    return changed
  },

  async removeWebhook({ endpoint_id, ...name }, deps, { audit, call }) {
    const { site } = await resolveSite(name, deps, call)
    const before = await deps.events.readEndpoint({ site, endpoint_id }, call)
    await deps.events.removeEndpoint({ site, endpoint_id }, call)
    audit(before, null)
    return {}
  },

  async rollWebhookSecret({ endpoint_id, overlap_hours, ...name }, deps, { audit, call }) {
    const { site } = await resolveSite(name, deps, call)
    const { endpoint, secret } = await deps.events.rollEndpointSecret({ site, endpoint_id, overlap_hours }, call)
    audit(null, { endpoint_id, overlap_hours })
    return { webhook: endpoint, secret }
  },

  async testWebhook({ endpoint_id, ...name }, deps, { call }) {
    const { site } = await resolveSite(name, deps, call)
    return deps.events.testEndpoint({ site, endpoint_id }, call)
  },

  async listWebhookDeliveries({ endpoint_id, delivery_status, before, limit, ...name }, deps, { call }) {
    const { site } = await resolveSite(name, deps, call)
    const filter = { ...(delivery_status && { status: delivery_status }), ...(before !== undefined && { before }) }
    return deps.events.listDeliveries({ site, endpoint_id, limit, ...filter }, call)
  },

  async replayWebhookDeliveries({ account, site_id, endpoint_id, ...selected }, deps, { audit, call }) {
    const selection = toSelection(selected)
    const { site } = await resolveSite({ account, site_id }, deps, call)
    const { planned } = await deps.events.replayDeliveries({ site, endpoint_id, selection }, call)
    audit(null, { endpoint_id, ...selected, planned })
    return { planned }
  },
} satisfies AdminHandlers<keyof typeof adminWebhookProcedures>

type Selected = Pick<
  z.output<(typeof adminWebhookProcedures)['replayWebhookDeliveries']['input']>,
  'event_ids' | 'recorded_since' | 'recorded_until' | 'failed'
>

/** @throws AdminFault `invalid_request` unless there is exactly one selection */
function toSelection({ event_ids, recorded_since, recorded_until, failed }: Selected): ReplaySelection {
  const period =
    recorded_since !== undefined && recorded_until !== undefined
      ? { from: recorded_since, to: recorded_until }
      : undefined
  const isPeriodIncomplete = period === undefined && (recorded_since ?? recorded_until) !== undefined
  const [selection, ...others] = [event_ids && { event_ids }, period, failed && { failed }].filter(
    (one) => one !== undefined,
  )
  if (selection === undefined || others.length > 0 || isPeriodIncomplete)
    throw new AdminFault('invalid_request', { reason: createReason('one_replay_selection') })
  return selection
}
