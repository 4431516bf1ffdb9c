import { limits } from '#contracts'
import type { WrittenRecord } from '../record.ts'
import { toTime } from './common.ts'

/** An answer of a user to a document, as another system stores it. */
export interface ForeignConsent {
  /** The parts of its name, e.g. of nested objects. */
  readonly path: readonly string[]
  readonly version: number | null | undefined
  readonly accepted: boolean
  readonly answered_at: string | number
}

/** The answers as a field of a record. A name becomes one of ours: `terms` and `ToS-EU` together are `terms_tos_eu`. */
export function toConsents(answers: readonly ForeignConsent[]): Pick<WrittenRecord, 'consents'> {
  if (answers.length === 0) return {}
  const byDocument = new Map(
    answers.map(({ path, version, accepted, answered_at }) => [
      toDocumentName(path),
      { version: Math.max(1, Math.trunc(version ?? 1)), accepted, answered_at: toTime(answered_at) ?? '' },
    ]),
  )
  const consents = [...byDocument].map(([document, answer]) => ({ document, ...answer }))
  return { consents: consents.slice(0, limits.consents_per_user) }
}

function toDocumentName(path: readonly string[]): string {
  const words = path
    .join('_')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  const name = words.filter((word) => word !== '').join('_')
  return (/^[a-z]/.test(name) ? name : `document_${name}`).slice(0, 31)
}
