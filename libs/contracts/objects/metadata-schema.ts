import { z } from 'zod'
import { limits } from '../limits.ts'
import { Count } from '../scalars.ts'

/** A JSON Schema (draft 2020-12) for one part of the metadata of a site's users. The service that stores it compiles it. */
export const MetadataSchema = z
  .record(z.string(), z.unknown())
  .refine((schema) => new TextEncoder().encode(JSON.stringify(schema)).length <= limits.metadata_schema_bytes, {
    error: `must have at most ${limits.metadata_schema_bytes} bytes as compact JSON`,
  })
export type MetadataSchema = z.infer<typeof MetadataSchema>

/** The schemas of a site; null: any object. */
export const MetadataSchemas = z.object({
  user_metadata_schema: MetadataSchema.nullable(),
  app_metadata_schema: MetadataSchema.nullable(),
  revision: Count,
})
export type MetadataSchemas = z.infer<typeof MetadataSchemas>

/** Where metadata does not match the schema, without the value, which can be personal data. */
export interface SchemaViolation {
  /** JSON Pointer (RFC 6901) into the part; `/` for the whole part. */
  readonly place: string
  /** The keyword of the schema, e.g. `enum`. */
  readonly rule: string
}

/** A violation as the reason of a rejected field. */
export function formatViolation({ place, rule }: SchemaViolation): string {
  return `breaks the rule ${rule} of the schema at ${place}`
}

/** Reads a reason of `formatViolation`. */
export function parseViolation(reason: string): SchemaViolation | undefined {
  const { rule, place } = /^breaks the rule (?<rule>\S+) of the schema at (?<place>.+)$/.exec(reason)?.groups ?? {}
  return rule === undefined || place === undefined ? undefined : { place, rule }
}
