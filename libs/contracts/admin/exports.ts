import { z } from 'zod'
import { Count, Text, Timestamp } from '../scalars.ts'
import { type AdminProcedure, adminProcedures } from './procedure.ts'
import { SiteName } from './sites.ts'

export const UserExport = z.object({
  export_id: z.uuid(),
  state: z.enum(['waiting', 'running', 'ready', 'failed', 'expired']),
  /** Users written of all there are. */
  written: Count,
  total: Count,
  charset: z.enum(['UTF-8', 'Shift_JIS']),
  requested_by: z.string(),
  requested_at: Timestamp,
  expires_at: Timestamp.nullable(),
  bytes: Count.nullable(),
  /** Characters that the character set does not have; a `?` stands for each. */
  replaced: Count,
  /** Where the file is fetched while it is ready, as often as need be: an address of this Admin API (`fetchExport`). */
  file: z.string().nullable(),
})

export const exportProcedures = adminProcedures({
  listExports: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/exports',
    summary: 'Exports of users, with their progress',
    role: 'editor',
    input: SiteName,
    output: z.object({ exports: z.array(UserExport) }),
  },
  requestExport: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/exports',
    summary: 'Export users in the background to a CSV file in a password-protected ZIP',
    role: 'owner',
    sensitive: true,
    input: SiteName.extend({
      charset: UserExport.shape.charset.default('UTF-8'),
      password: Text.min(12).max(128),
      with_profile: z.boolean().default(false),
    }),
    output: UserExport,
    faults: { conflict: 'An export of this site is in progress.' },
  },
})

/** The file of an export: no procedure of its own, as its answer is no JSON. */
export const exportFile = {
  method: 'GET',
  path: '/accounts/{account}/sites/{site_id}/exports/{export_id}/file',
  summary:
    'Download the file of an export, any number of times for a day. Each download is recorded in the audit trail',
  role: 'owner',
  input: SiteName.extend({ export_id: z.uuid() }),
  faults: { not_found: 'The file does not exist or has expired.' },
} as const satisfies Omit<AdminProcedure, 'output'>
