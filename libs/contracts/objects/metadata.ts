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

/** Both parts, and the number of changes so far. */
export const StoredMetadata = z.object({ user_metadata: MetadataPart, app_metadata: MetadataPart, revision: Count })
export type StoredMetadata = z.infer<typeof StoredMetadata>
export type Metadata = Readonly<Record<MetadataPartName, MetadataPart>>

export const emptyMetadata: StoredMetadata = { user_metadata: {}, app_metadata: {}, revision: 0 }

/** Whether both parts together have at most `metadata_bytes` as compact JSON in UTF-8. */
export function isMetadataWithinLimit({ user_metadata, app_metadata }: Metadata): boolean {
  const text = JSON.stringify(user_metadata) + JSON.stringify(app_metadata)
  return new TextEncoder().encode(text).length <= limits.metadata_bytes
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

/**
 * Parses one part, or a patch of it, without loss.
 *
 * @throws SyntaxError if the text is not JSON, or a number or a name would not be stored as it is written
 */
export function parseMetadata(text: string): unknown {
  return JSON.parse(text, requireExact)
}

/** A reviver of `JSON.parse` with the source text (ECMAScript, JSON.parse source text access). */
function requireExact(name: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (name === '__proto__') throw new SyntaxError('Metadata must have no member named __proto__.')
  if (typeof value === 'number' && context?.source !== undefined && !isSameNumber(context.source, String(value)))
    throw new SyntaxError('A number has more digits than can be stored exactly. Send it as a string.')
  return value
}

function isSameNumber(one: string, other: string): boolean {
  const [a, b] = [toDecimal(one), toDecimal(other)]
  return a.digits === b.digits && (a.digits === '' || a.exponent === b.exponent)
}

/** The significant digits of a number in JSON or JavaScript, and the power of ten of the last one. */
function toDecimal(source: string): { readonly digits: string; readonly exponent: number } {
  const [mantissa = '', power = '0'] = source.toLowerCase().replace(/^-/, '').split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  return { digits: significant, exponent: Number(power) - fraction.length + digits.length - significant.length }
}
