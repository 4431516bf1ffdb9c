import { z } from 'zod'
import { limits } from '../limits.ts'
import { Consent } from '../objects/consent.ts'
import { DataRecipient } from '../objects/data-recipient.ts'
import { HistoryEntry } from '../objects/event.ts'
import { MetadataPart, metadataParts, StoredMetadata } from '../objects/metadata.ts'
import { adminProcedures } from './procedure.ts'
import { AdminUserReference } from './users.ts'

/** What is stored about a user besides the account: metadata, consents, events, and who received data. */
export const userDataProcedures = adminProcedures({
  readUserMetadata: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/users/{identifier}/metadata',
    summary: 'The metadata of a user. Each read is recorded in the audit trail',
    role: 'viewer',
    versioned: true,
    returnsPersonalData: true,
    input: AdminUserReference,
    output: StoredMetadata,
  },
  changeUserMetadata: {
    method: 'PATCH',
    path: '/accounts/{account}/sites/{site_id}/users/{identifier}/metadata',
    summary:
      'Change the metadata of a user by JSON Merge Patch (RFC 7396), or with `replace` to exactly the sent value. An omitted part remains as it is',
    role: 'editor',
    sensitive: true,
    versioned: true,
    personalFields: metadataParts,
    lossless: true,
    help: { replace: 'set the sent parts to exactly these values' },
    input: AdminUserReference.extend({
      user_metadata: MetadataPart.optional(),
      app_metadata: MetadataPart.optional(),
      replace: z.boolean().default(false),
    }),
    output: StoredMetadata,
    faults: {
      invalid_request:
        'Both parts together would be larger than the limit, or a changed part does not match the schema of the site.',
    },
  },
  readUserConsents: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/users/{identifier}/consents',
    summary:
      'The latest answer of a user to each document of the site, by the names of the documents. Each read is recorded in the audit trail',
    role: 'viewer',
    returnsPersonalData: true,
    input: AdminUserReference,
    output: z.object({ consents: z.array(Consent) }),
  },
  listUserEvents: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/users/{identifier}/events',
    summary:
      'The latest events of a user, the latest first: logins, what the user did on the account page, and changes of the data. Each read is recorded in the audit trail',
    role: 'viewer',
    returnsPersonalData: true,
    input: AdminUserReference.extend({
      limit: z.coerce
        .number()
        .pipe(z.int().min(1).max(limits.user_history_entries))
        .default(limits.user_history_entries),
    }),
    output: z.object({ events: z.array(HistoryEntry) }),
  },
  listUserApplications: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/users/{identifier}/applications',
    summary:
      'The applications that received data of a user, the latest first: what, and when first and last. Each read is recorded in the audit trail',
    role: 'viewer',
    returnsPersonalData: true,
    input: AdminUserReference,
    output: z.object({ applications: z.array(DataRecipient) }),
  },
})
