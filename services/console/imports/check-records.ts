import { z } from 'zod'
import { type AdminReason, adminReasons, createReason } from '#admin-api'
import { isBuiltIn, type Provider, UserRecord } from '#contracts'
import { listProblems, toProblem, toReasonFields } from '../input-problems.ts'
import type { RejectedLine } from '../store/imports.ts'

/** A valid record and its line. */
export interface CheckedRecord {
  readonly line: number
  readonly record: UserRecord
}

/** Clocks of other systems may be ahead. */
const toleranceMs = 86_400_000

/** What is known about the site of an import. */
interface ImportSite {
  /** The providers that it configured. */
  readonly configured: readonly Provider[]
  /** No time of a record may be later. */
  readonly now: Date
}

/** Checks the records of a batch. @param firstLine line number of the first */
export function checkRecords(
  records: readonly unknown[],
  firstLine: number,
  site: ImportSite,
): { readonly valid: CheckedRecord[]; readonly rejections: RejectedLine[] } {
  const valid: CheckedRecord[] = []
  const rejections: RejectedLine[] = []
  for (const [index, given] of records.entries()) {
    const line = firstLine + index
    const checked = checkRecord(given, site)
    if ('problems' in checked) rejections.push({ line, ...checked })
    else valid.push({ line, ...checked })
  }
  return { valid, rejections }
}

type Problems = RejectedLine['problems']

/** A record that its sender could not convert to a user: `rejected` of `sendImportBatch`. */
const RejectedRecord = z.strictObject({
  rejected: z
    .array(
      z.object({
        field: z.string().max(255),
        reason: z.object({
          name: z.string().refine((name) => Object.hasOwn(adminReasons, name)),
          parameters: z.record(z.string(), z.string().max(1_000)),
        }),
      }),
    )
    .min(1)
    .max(100),
})

/** Returns the record, or its problems. */
function checkRecord(given: unknown, { configured, now }: ImportSite): { record: UserRecord } | { problems: Problems } {
  if (typeof given === 'string') return { problems: [toLineProblem('', createReason('not_a_record'))] }
  const rejected = RejectedRecord.safeParse(given)
  if (rejected.success)
    // The name is that of a reason. A missing parameter leaves a gap in its message.
    return { problems: rejected.data.rejected.map(({ field, reason }) => toLineProblem(field, reason as AdminReason)) }
  const parsed = UserRecord.safeParse(given)
  if (!parsed.success) {
    const problems = listProblems(parsed.error, given).map(({ path, message, reason }) => ({
      field: path.join('.'),
      message,
      ...toReasonFields(reason),
    }))
    return { problems }
  }
  const unknown = findUnknownProvider(parsed.data, configured)
  if (unknown !== undefined) return { problems: [toLineProblem(unknown, createReason('provider_unknown'))] }
  const late = findFutureTime(parsed.data, now)
  return late === undefined
    ? { record: parsed.data }
    : { problems: [toLineProblem(late, createReason('in_the_future'))] }
}

/** @param field empty for a reason about the whole line */
export function toLineProblem(field: string, reason: AdminReason): Problems[number] {
  return { field, message: toProblem(reason).message, ...toReasonFields(reason) }
}

/** The field with a provider that is neither built in nor configured by the site. */
function findUnknownProvider(
  { links, last_logged_in_provider }: UserRecord,
  configured: readonly Provider[],
): string | undefined {
  const isKnown = (provider: Provider) => isBuiltIn(provider) || configured.includes(provider)
  const index = links.findIndex(({ provider }) => !isKnown(provider))
  if (index !== -1) return `links.${index}.provider`
  return last_logged_in_provider === null || isKnown(last_logged_in_provider) ? undefined : 'last_logged_in_provider'
}

function findFutureTime({ created_at, mapped_at, last_logged_in_at }: UserRecord, now: Date): string | undefined {
  const latest = now.getTime() + toleranceMs
  return Object.entries({ created_at, mapped_at, last_logged_in_at }).find(
    ([, time]) => time != null && Date.parse(time) > latest,
  )?.[0]
}
