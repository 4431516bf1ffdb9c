import { z } from 'zod'
import { limits } from '../limits.ts'
import { ConflictRule } from '../objects/user-record.ts'
import { Count, Text, Timestamp } from '../scalars.ts'
import { adminProcedures } from './procedure.ts'
import { SiteReference } from './sites.ts'

export const UserImport = z.object({
  import_id: z.uuid(),
  /** Name of the file, for the list. */
  file_name: z.string(),
  /** Whether the import only checks the file. */
  dry_run: z.boolean(),
  conflict: ConflictRule,
  state: z.enum(['running', 'done', 'cancelled']),
  /** The first batch that is not imported yet: continue with it after an interruption. */
  next_batch: Count,
  created: Count,
  merged: Count,
  replaced: Count,
  skipped: Count,
  /** Lines that are not imported; `listImportRejections` returns the reasons. */
  rejected: Count,
  requested_by: z.string(),
  started_at: Timestamp,
  /** When the last batch was imported. */
  updated_at: Timestamp,
})

/** Why a line is rejected: as `fields` of an error response. `field` is empty if the reason is about the whole line. */
export const LineProblem = z.object({
  field: z.string(),
  message: z.string(),
  reason: z.string().optional(),
  parameters: z.record(z.string(), z.string()).optional(),
})

const ImportReference = SiteReference.extend({ import_id: z.uuid() })

export const userImportProcedures = adminProcedures({
  listImports: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/imports',
    summary: 'Imports of users, with their progress',
    role: 'editor',
    input: SiteReference,
    output: z.object({ imports: z.array(UserImport) }),
  },
  startImport: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/imports',
    summary: 'Start an import of users. Send its batches next. A dry run only checks them',
    role: 'owner',
    sensitive: true,
    form: 'import',
    input: SiteReference.extend({
      file_name: Text.min(1).max(255),
      conflict: ConflictRule.default('fail'),
      dry_run: z.boolean().default(false),
    }),
    output: UserImport,
  },
  readImport: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/imports/{import_id}',
    summary: 'Progress of an import',
    role: 'editor',
    input: ImportReference,
    output: UserImport,
  },
  sendImportBatch: {
    method: 'PUT',
    path: '/accounts/{account}/sites/{site_id}/imports/{import_id}/batches/{number}',
    summary: 'Import a batch of lines. A repeat of a batch has no further effect',
    role: 'owner',
    partOf: 'startImport',
    bodyBytes: limits.import_batch_bytes,
    input: ImportReference.extend({
      /** From 0. */
      number: z.coerce.number().pipe(Count),
      /** Line number of the first record in the file, for the report. */
      first_line: Count,
      /**
       * User records, one for each line. `{ "rejected": [{ "field", "reason": { "name", "parameters" } }] }` for a line that is
       * not imported, so that it is counted and listed; a line that is not JSON can also be a string.
       */
      records: z.array(z.unknown()).min(1).max(limits.import_batch_users),
    }),
    output: UserImport,
    faults: { conflict: 'The import has ended, or the batch was sent before with other records.' },
  },
  endImport: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/imports/{import_id}/end',
    summary: 'End an import after its last batch, or cancel it. Imported users stay',
    role: 'owner',
    help: { state: 'done after the last batch, or cancelled' },
    input: ImportReference.extend({ state: z.enum(['done', 'cancelled']).default('done') }),
    output: UserImport,
  },
  listImportRejections: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/imports/{import_id}/rejections',
    summary: 'Lines that an import rejected, with field and reason, in the order of the file',
    role: 'editor',
    input: ImportReference.extend({
      limit: z.coerce.number().pipe(z.int().min(1).max(1_000)).default(100),
      /** Only lines after this one. */
      after_line: z.coerce.number().pipe(Count).default(0),
    }),
    output: z.object({
      rejections: z.array(z.object({ line: Count, problems: z.array(LineProblem) })),
      more: z.boolean(),
    }),
  },
})
