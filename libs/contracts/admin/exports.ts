import { z } from 'zod'
import { limits } from '../limits.ts'
import { userFilter, userFilterHelp } from '../objects/user-filter.ts'
import { Count, Text, Timestamp } from '../scalars.ts'
import { type AdminProcedure, adminProcedures } from './procedure.ts'
import { SiteReference } from './sites.ts'
import { ExportColumn } from './user-columns.ts'

/** The columns of a CSV, in this order. */
const columns = z
  .array(ExportColumn)
  .min(1)
  .max(limits.export_columns)
  .refine((names) => new Set(names).size === names.length, 'must not repeat a column')

export const UserExport = z.object({
  export_id: z.uuid(),
  state: z.enum(['waiting', 'running', 'ready', 'failed', 'expired']),
  /** Users written so far, of `total`. */
  written: Count,
  total: Count,
  /** `csv` for people and spreadsheets, `ndjson` for another import: user records, one for each line. */
  format: z.enum(['csv', 'ndjson']),
  charset: z.enum(['UTF-8', 'Shift_JIS']),
  /** Null: those of the user, and of profiles if they are included. */
  columns: columns.nullable(),
  ...userFilter,
  requested_by: z.string(),
  requested_at: Timestamp,
  expires_at: Timestamp.nullable(),
  bytes: Count.nullable(),
  /** Characters that the character set does not contain; each was replaced by `?`. */
  replaced: Count,
  /** Path of the file while it is ready, in this Admin API (`fetchExport`). It can be downloaded any number of times. */
  file: z.string().nullable(),
})

export const exportProcedures = adminProcedures({
  listExports: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/exports',
    summary: 'Exports of users, with their progress',
    role: 'editor',
    input: SiteReference,
    output: z.object({ exports: z.array(UserExport) }),
  },
  requestExport: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/exports',
    summary: 'Export users in the background to a file in a password-protected ZIP',
    role: 'owner',
    sensitive: true,
    personalFields: ['metadata'],
    form: 'export',
    help: {
      columns: 'columns of the CSV in this order, e.g. email name messaging_id app_metadata.plan; none: the usual ones',
      format: 'csv for spreadsheets, ndjson for another import',
      ...userFilterHelp,
    },
    input: SiteReference.extend({
      format: UserExport.shape.format.default('csv'),
      /** Of CSV; NDJSON is UTF-8. */
      charset: UserExport.shape.charset.default('UTF-8'),
      password: Text.min(12).max(128),
      with_profile: z.boolean().default(false),
      /** CSV only, instead of `with_profile`: the file has these columns, and no data that they do not need. */
      columns: columns.optional(),
      /** CSV only. For people: programs that read IDs would read the marks, too. */
      numbers_as_text: z.boolean().default(false),
      /** NDJSON only. */
      with_credentials: z.boolean().default(false),
      ...userFilter,
    }),
    output: UserExport,
    faults: { conflict: 'An export of this site is in progress.' },
  },
})

/** The file of an export. It is not a procedure, because its response is not JSON. */
export const exportFile = {
  method: 'GET',
  path: '/accounts/{account}/sites/{site_id}/exports/{export_id}/file',
  summary:
    'Download the file of an export, any number of times for a day. Each download is recorded in the audit trail',
  role: 'owner',
  input: SiteReference.extend({ export_id: z.uuid() }),
  faults: { not_found: 'The file does not exist or has expired.' },
} as const satisfies Omit<AdminProcedure, 'output'>
