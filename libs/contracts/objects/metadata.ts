import { z } from 'zod'
import { limits } from '../limits.ts'
import { Count, isStorableText } from '../scalars.ts'

/**
 * The two parts of a user's metadata, as in Auth0: data that the end user may know and that is not used for decisions, and data
 * that only the customer's server writes, such as a plan or a role.
 */
export const metadataParts = ['user_metadata', 'app_metadata'] as const
export type MetadataPartName = (typeof metadataParts)[number]

/**
 * One part: a JSON object that Postgres and JavaScript represent exactly. As a patch (RFC 7396), a member that is null deletes the
 * member of this name.
 */
export const MetadataPart = z.record(z.string(), z.unknown()).superRefine((part, context) => {
  const problem = findProblem(part, 1)
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
})
export type MetadataPart = z.infer<typeof MetadataPart>

export const Metadata = z.object({ user_metadata: MetadataPart, app_metadata: MetadataPart })
export type Metadata = Readonly<Record<MetadataPartName, MetadataPart>>

/** Both parts, and the number of changes so far. */
export const StoredMetadata = Metadata.extend({ revision: Count })
export type StoredMetadata = z.infer<typeof StoredMetadata>

export const emptyMetadata: StoredMetadata = { user_metadata: {}, app_metadata: {}, revision: 0 }

/** Whether both parts together have at most `metadata_bytes` as compact JSON in UTF-8. */
export function isMetadataWithinLimit({ user_metadata, app_metadata }: Metadata): boolean {
  return isWithinBytes(limits.metadata_bytes, user_metadata, app_metadata)
}

/** Whether parts together have at most this number of bytes as compact JSON in UTF-8. */
export function isWithinBytes(bytes: number, ...parts: readonly MetadataPart[]): boolean {
  const text = parts.map((part) => JSON.stringify(part)).join('')
  return new TextEncoder().encode(text).length <= bytes
}

/** Why a value cannot be part of metadata, without the value itself, which can be personal data. */
function findProblem(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return isStorableText(value) ? undefined : 'must have no NUL and no unpaired surrogate'
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value)
      ? 'must have no whole numbers beyond ±9007199254740991: send them as strings'
      : undefined
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > limits.metadata_depth) return `must have at most ${limits.metadata_depth} levels of objects and arrays`
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__') return 'must have no member named __proto__'
    const problem = findProblem(name, depth) ?? findProblem(member, depth + 1)
    if (problem !== undefined) return problem
  }
}
