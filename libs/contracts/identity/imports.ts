import { z } from 'zod'
import type { Procedure } from '../define.ts'
import { limits } from '../limits.ts'
import { ConflictRule, ImportOutcome, UserRecord } from '../objects/user-record.ts'
import { Provider } from '../providers.ts'
import { Identifier, LinkId, PreciseTimestamp, ProviderUserId, Site } from '../scalars.ts'

/** What identity stores of a record. */
const ImportedUser = z.object({
  identifier: Identifier.optional(),
  primary_key: UserRecord.shape.primary_key,
  mapped_at: UserRecord.shape.mapped_at,
  created_at: UserRecord.shape.created_at,
  last_logged_in_at: UserRecord.shape.last_logged_in_at,
  last_logged_in_provider: UserRecord.shape.last_logged_in_provider,
  login_count: UserRecord.shape.login_count,
  block: UserRecord.shape.block,
  user_metadata: UserRecord.shape.user_metadata,
  app_metadata: UserRecord.shape.app_metadata,
  consents: UserRecord.shape.consents,
  links: z.array(
    z.object({
      provider: Provider,
      provider_user_id: ProviderUserId,
      created_at: PreciseTimestamp.optional(),
    }),
  ),
})
export type ImportedUser = z.output<typeof ImportedUser>

const users = { site: Site, conflict: ConflictRule, users: z.array(ImportedUser).min(1).max(limits.import_batch_users) }

/** Returns the part of a record that identity stores. */
export function toImportedUser(record: UserRecord): ImportedUser {
  const { identifier, primary_key, mapped_at, created_at, login_count, links } = record
  const { last_logged_in_at, last_logged_in_provider, block, user_metadata, app_metadata, consents } = record
  return {
    identifier,
    primary_key,
    mapped_at,
    created_at,
    last_logged_in_at,
    last_logged_in_provider,
    login_count,
    block,
    user_metadata,
    app_metadata,
    consents,
    links: links.map((link) => ({
      provider: link.provider,
      provider_user_id: link.provider_user_id,
      created_at: link.created_at,
    })),
  }
}

/** A link whose imported data must be stored. */
const StoredLink = z.object({ provider: Provider, link_id: LinkId, identifier: Identifier })

export const importProcedures = {
  /**
   * Imports users in one transaction. A repeat returns the same results; `links` are those that still exist.
   *
   * `recorded_at` is from the clock that also orders logins: use it as the `obtained_at` of data without a time.
   */
  importUsers: {
    input: z.object({ ...users, command: z.uuid() }),
    output: z.object({
      recorded_at: PreciseTimestamp,
      /** `identifier`: null for a record that changed no user. */
      results: z.array(
        z.object({ outcome: ImportOutcome, identifier: Identifier.nullable(), links: z.array(StoredLink) }),
      ),
    }),
    /** `entity_not_found`: the site does not exist. */
    faults: ['entity_not_found'],
    repeatable: true,
  },
  /** The outcomes that `importUsers` would have, without changing anything. */
  previewImport: {
    input: z.object(users),
    output: z.object({ outcomes: z.array(ImportOutcome) }),
    faults: ['entity_not_found'],
    repeatable: true,
  },
} as const satisfies Record<string, Procedure>
