import { randomUUID } from 'node:crypto'
import { createReason, type userDataProcedures } from '#admin-api'
import { AdminFault } from '../admin-fault.ts'
import type { AdminHandlers } from './admin-handler.ts'
import { resolveSite, translateFaults } from './resolve-site.ts'

export const userDataHandlers = {
  async readUserMetadata({ identifier, ...name }, deps, { call }) {
    const { site } = await resolveSite(name, deps, call)
    const { user_metadata, app_metadata, revision } = await deps.identity.readMetadata({ site, identifier }, call)
    return { user_metadata, app_metadata, revision }
  },

  async changeUserMetadata(
    { identifier, user_metadata, app_metadata, replace, ...name },
    deps,
    { audit, call, expected_revision },
  ) {
    const { site } = await resolveSite(name, deps, call)
    const change = { user_metadata, app_metadata, replace, expected_revision, command: randomUUID() }
    const changed = await translateFaults(deps.identity.changeMetadata({ site, identifier, ...change }, call), {
      metadata_too_large: () => new AdminFault('invalid_request', { reason: createReason('metadata_too_large') }),
    })
    // The values can be personal data, which is not in the audit trail.
    audit({ identifier, revision: expected_revision }, { identifier, revision: changed.revision })
    return { user_metadata: changed.user_metadata, app_metadata: changed.app_metadata, revision: changed.revision }
  },

  async readUserConsents({ identifier, ...name }, deps, { call }) {
    const { site } = await resolveSite(name, deps, call)
    const { consents } = await deps.identity.readConsents({ site, identifier }, call)
    return { consents }
  },

  async listUserEvents({ identifier, limit, ...name }, deps, { call }) {
    const { site } = await resolveSite(name, deps, call)
    await deps.identity.resolveUser({ site, identifier }, call)
    const { entries } = await deps.events.listUserHistory({ site, identifier, limit }, call)
    return { events: entries }
  },

  async listUserApplications({ identifier, ...name }, deps, { call }) {
    const { site } = await resolveSite(name, deps, call)
    const { links } = await deps.identity.resolveUser({ site, identifier }, call)
    const linkIds = links.map(({ link_id }) => link_id)
    const { recipients } = await deps.provider_auth.readDataRecipients({ site, link_ids: linkIds }, call)
    return { applications: recipients }
  },
} satisfies AdminHandlers<keyof typeof userDataProcedures>
